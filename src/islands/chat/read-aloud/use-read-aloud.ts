import { useEffect } from 'react';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { useChat } from '../chat-context.ts';
import { $readingContext } from '../state/messages-state.ts';

/**
 * Reads replies aloud if this device has chosen that. What it needs for it is loaded then only.
 * @param language the character's language; null or undefined when it is unknown
 */
export function useReadAloud(language: string | null | undefined): void {
  const chat = useChat();
  const lang = useLang();
  const words = useTranslate('chat');
  useEffect(() => {
    $readingContext.set({ chat, lang: language ?? lang, nameless: words('defaultName') });
    // Set by chat-settings-boot.js, so that the settings need not be parsed here.
    if (document.documentElement.dataset['chatSettings']?.includes('readAloud-on') !== true) return;
    import('./reader.ts').then(
      ({ startReading }) => startReading(),
      // Offline: replies stay announced.
      () => {},
    );
  }, [chat, language, lang, words]);
}
