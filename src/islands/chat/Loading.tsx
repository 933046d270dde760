import { useTranslate } from '../shared/i18n.tsx';

/** A line with one loop in it, about as wide as a short line of text. */
const THREAD = 'M1 10 C12 2 20 16 32 10 S50 4 57 9 C64 14 70 15 71 9 C72 3 63 3 64 9 C65 15 78 14 95 8';

/** The typing indicator: a line that draws itself until the first word of the reply arrives. */
export function Loading() {
  const words = useTranslate('chat');
  return (
    <span className="flex h-8 items-center">
      <span className="sr-only">{words('typing')}</span>
      <svg
        aria-hidden="true"
        viewBox="0 0 96 18"
        width="96"
        height="18"
        fill="none"
        strokeWidth="1.5"
        strokeLinecap="round"
        className="text-state"
      >
        <path d={THREAD} className="stroke-line" />
        <path d={THREAD} pathLength="100" stroke="currentColor" className="chat-waiting" />
      </svg>
    </span>
  );
}
