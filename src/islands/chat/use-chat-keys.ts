import { useEffect } from 'react';
import { useChat, useMessageCommands } from './chat-context.ts';
import type { Chat } from './chat.ts';
import type { MessageCommands } from './state/message-commands.ts';
import { findComposer, focusComposer, findMessageKey } from './messages/message-focus.ts';
import { parseKeyCommand, type KeyCommand, type KeyContext } from './messages/message-keys.ts';
import { openKeyboardShortcuts, $singleKeys } from './state/messages-state.ts';

/** Handles the chat's keyboard shortcuts while the component is mounted. */
export function useChatKeys(): void {
  const chat = useChat();
  const commands = useMessageCommands();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A menu, a dialog or the list has handled the key.
      if (event.defaultPrevented || chat.$chat.get().phase !== 'ready') return;
      const command = parseKeyCommand(event, getKeyContext(event.target), $singleKeys.get());
      if (command && runCommand(command, chat, commands, findMessageKey(event.target)))
        event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [chat, commands]);
}

function getKeyContext(target: EventTarget | null): KeyContext {
  const element = target instanceof Element ? target : null;
  const box = findComposer(document);
  const message = findMessageKey(element) !== null;
  return {
    writing: element?.closest('input, textarea, select, [contenteditable]') !== null && element !== null,
    emptyBox: element !== null && element === box && box.value === '',
    list: message || element?.closest('[role="region"]')?.querySelector('[data-message]') != null,
    message,
    layer: document.querySelector('dialog[open]') !== null || element?.closest('[role="menu"]') != null,
  };
}

/** @returns whether the command did anything */
function runCommand(command: KeyCommand, chat: Chat, commands: MessageCommands, key: string | null): boolean {
  switch (command.kind) {
    case 'deed': {
      if (key === null) return false;
      const { action } = command;
      if (action !== 'togglePin') void commands.run(action, key);
      else {
        const pinned = chat.$chat.get().view.messages.find((message) => message.key === key)?.pinned;
        void commands.run(pinned ? 'unpin' : 'pin', key);
      }
      return true;
    }
    case 'version':
      if (key !== null) void commands.moveVersion(key, command.step);
      return key !== null;
    case 'undo':
      void commands.undo();
      return true;
    case 'newest':
      void commands.goToNewest();
      return true;
    case 'box':
      focusComposer();
      return true;
    case 'keys':
      openKeyboardShortcuts();
      return true;
    case 'editLast':
      return commands.editLast();
  }
}
