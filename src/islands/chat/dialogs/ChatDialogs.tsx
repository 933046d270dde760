import { useStore } from '@nanostores/react';
import type { ComponentProps } from 'react';
import type { ChatCharacter } from '../Chat.tsx';
import { useChat, useChatField } from '../chat-context.ts';
import type { AppearanceDialog } from '../appearance/AppearanceDialog.tsx';
import type { ChatFiles } from './ChatFiles.tsx';
import type { DeletedChats } from './DeletedChats.tsx';
import type { Drawer } from '../Drawer.tsx';
import { createLazyDialog } from './LazyDialog.tsx';
import { $chatDialog, closeChatDialog } from './dialog-state.ts';
import type { MemoryDialog } from '../memory/MemoryDialog.tsx';
import type { ModelDialog } from './ModelDialog.tsx';
import type { PersonaDialog } from './PersonaDialog.tsx';
import type { ReplySettingsDialog } from './ReplySettingsDialog.tsx';
import type { RenameDialog } from './RenameDialog.tsx';
import { renameOpenConversation } from './rename-conversation.ts';

const Models = createLazyDialog<ComponentProps<typeof ModelDialog>>(
  async () => (await import('./ModelDialog.tsx')).ModelDialog,
);
const Persona = createLazyDialog<ComponentProps<typeof PersonaDialog>>(
  async () => (await import('./PersonaDialog.tsx')).PersonaDialog,
);
const Conversations = createLazyDialog<ComponentProps<typeof Drawer>>(
  async () => (await import('../Drawer.tsx')).Drawer,
);
const Rename = createLazyDialog<ComponentProps<typeof RenameDialog>>(
  async () => (await import('./RenameDialog.tsx')).RenameDialog,
);
const Memory = createLazyDialog<ComponentProps<typeof MemoryDialog>>(
  async () => (await import('../memory/MemoryDialog.tsx')).MemoryDialog,
);
const ReplySettings = createLazyDialog<ComponentProps<typeof ReplySettingsDialog>>(
  async () => (await import('./ReplySettingsDialog.tsx')).ReplySettingsDialog,
);
const Appearance = createLazyDialog<ComponentProps<typeof AppearanceDialog>>(
  async () => (await import('../appearance/AppearanceDialog.tsx')).AppearanceDialog,
);
const Files = createLazyDialog<ComponentProps<typeof ChatFiles>>(
  async () => (await import('./ChatFiles.tsx')).ChatFiles,
);
const Deleted = createLazyDialog<ComponentProps<typeof DeletedChats>>(
  async () => (await import('./DeletedChats.tsx')).DeletedChats,
);

/** The dialogs that concern the whole chat. */
export function ChatDialogs({ face }: { face: ChatCharacter | null }) {
  const chat = useChat();
  const open = useStore($chatDialog, { ssr: 'initial' });
  const conversation = useChatField('conversation');
  const id = conversation?.id ?? null;
  return (
    <>
      <Conversations open={open === 'drawer'} onClose={closeChatDialog} currentId={id} />
      <Models open={open === 'model'} onClose={closeChatDialog} />
      <Persona open={open === 'persona'} onClose={closeChatDialog} />
      <Appearance open={open === 'appearance'} onClose={closeChatDialog} />
      <Files
        open={open === 'files'}
        onClose={closeChatDialog}
        conversationId={id}
        characterId={conversation?.character_id ?? face?.id ?? null}
      />
      <Deleted open={open === 'deleted'} onClose={closeChatDialog} />
      {conversation ? (
        <>
          <Rename
            open={open === 'rename'}
            onClose={closeChatDialog}
            chat={conversation}
            rename={(title) => renameOpenConversation(chat, title)}
          />
          <ReplySettings open={open === 'reply'} onClose={closeChatDialog} conversationId={conversation.id} />
          <Memory
            open={open === 'memory'}
            onClose={closeChatDialog}
            conversationId={conversation.id}
            onShowMessage={(messageId) => void chat.showMessage(messageId)}
          />
        </>
      ) : null}
    </>
  );
}
