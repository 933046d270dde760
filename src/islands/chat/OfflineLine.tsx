import { useStore } from '@nanostores/react';
import { memo } from 'react';
import { $isOfflineCopy } from '../shared/cached-copies-state.ts';
import { joinSentences } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { useOnline } from '../shared/online.ts';
import { useChatState } from './chat-context.ts';

/** Says, while the network is down, that the page is a saved copy and what happens to messages sent now. */
export const OfflineLine = memo(function OfflineLine() {
  const online = useOnline();
  const isCopy = useStore($isOfflineCopy, { ssr: 'initial' });
  const words = useTranslate('chat');
  const lang = useLang();
  const waiting = useChatState(
    ({ view }) => view.messages.filter(({ delivery }) => delivery === 'waiting').length,
  );
  const messages = [
    ...(isCopy ? [words('offlineReading')] : online ? [] : [words('offline')]),
    ...(online && waiting === 0
      ? []
      : waiting === 0
        ? [words('offlineSendNote')]
        : [words('offlineWaiting', { count: waiting })]),
  ];
  return (
    <p role="status" className="text-sm text-state empty:hidden">
      {joinSentences(messages, lang) || null}
    </p>
  );
});

/** Whether the server can be reached, judged by the browser's network state and by the page being no offline copy. */
export function useIsReachable(): boolean {
  const online = useOnline();
  const copy = useStore($isOfflineCopy, { ssr: 'initial' });
  return online && !copy;
}
