import { useStore } from '@nanostores/react';
import type { ComponentProps } from 'react';
import type { ChatFace } from '../Chat.tsx';
import { useChat } from '../chat-context.ts';
import type { ChatFiles } from './ChatFiles.tsx';
import type { DeletedChats } from './DeletedChats.tsx';
import type { Drawer } from '../Drawer.tsx';
import { fetchedDialog } from './LazyDialog.tsx';
import { $frame, closeFrame } from './dialog-state.ts';
import type { MemoryDialog } from '../memory/MemoryDialog.tsx';
import type { ModelDialog } from './ModelDialog.tsx';
import type { PersonaDialog } from './PersonaDialog.tsx';
import type { RenameDialog } from './RenameDialog.tsx';
import { renameOpen } from './rename.ts';

const Models = fetchedDialog<ComponentProps<typeof ModelDialog>>(
  async () => (await import('./ModelDialog.tsx')).ModelDialog,
);
const Persona = fetchedDialog<ComponentProps<typeof PersonaDialog>>(
  async () => (await import('./PersonaDialog.tsx')).PersonaDialog,
);
const Conversations = fetchedDialog<ComponentProps<typeof Drawer>>(
  async () => (await import('../Drawer.tsx')).Drawer,
);
const Rename = fetchedDialog<ComponentProps<typeof RenameDialog>>(
  async () => (await import('./RenameDialog.tsx')).RenameDialog,
);
const Memory = fetchedDialog<ComponentProps<typeof MemoryDialog>>(
  async () => (await import('../memory/MemoryDialog.tsx')).MemoryDialog,
);
const Files = fetchedDialog<ComponentProps<typeof ChatFiles>>(
  async () => (await import('./ChatFiles.tsx')).ChatFiles,
);
const Deleted = fetchedDialog<ComponentProps<typeof DeletedChats>>(
  async () => (await import('./DeletedChats.tsx')).DeletedChats,
);

/** The dialogs of the chat as a whole. */
export function FrameDialogs({ face }: { face: ChatFace | null }) {
  const chat = useChat();
  const open = useStore($frame, { ssr: 'initial' });
  const { conversation, view } = useStore(chat.$chat, { ssr: 'initial' });
  const id = conversation?.id ?? null;
  return (
    <>
      <Conversations open={open === 'drawer'} onClose={closeFrame} currentId={id} />
      <Models open={open === 'model'} onClose={closeFrame} />
      <Persona
        open={open === 'persona'}
        onClose={closeFrame}
        started={view.messages.some(({ role, delivery }) => role === 'user' && delivery === 'stored')}
      />
      <Files
        open={open === 'files'}
        onClose={closeFrame}
        conversationId={id}
        characterId={conversation?.character_id ?? face?.id ?? null}
      />
      <Deleted open={open === 'deleted'} onClose={closeFrame} />
      {conversation ? (
        <>
          <Rename
            open={open === 'rename'}
            onClose={closeFrame}
            chat={conversation}
            rename={(title) => renameOpen(chat, title)}
          />
          <Memory
            open={open === 'memory'}
            onClose={closeFrame}
            conversationId={conversation.id}
            onShowMessage={(messageId) => void chat.showMessage(messageId)}
          />
        </>
      ) : null}
    </>
  );
}
