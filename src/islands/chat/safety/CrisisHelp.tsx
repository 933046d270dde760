import { useId, useState, type ReactNode } from 'react';
import { getPhoneLink, getTextLink } from '../../../features/safety/helpline-links.ts';
import type { Helpline } from '../../../features/safety/helplines.ts';
import { UserText } from '../../shared/ui/UserText.tsx';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ICON, LINK } from '../../shared/styles.ts';

const BOX = 'flex w-full flex-col rounded-md border-2 border-state bg-surface text-start text-text';

/** Helplines for a message that sounds as if its author needs help. Calm, and never blocks the chat. */
export function CrisisHelp({
  helplines,
  messageId,
}: {
  helplines: readonly Helpline[];
  /** The stored message that they belong to, if any. */
  messageId?: string;
}) {
  const words = useTranslate('chat');
  const id = useId();
  return (
    <section aria-labelledby={id} data-help-at={messageId} className={`${BOX} my-3 gap-3 p-4`}>
      <h2 id={id} className="font-serif text-lg">
        {words('crisisTitle')}
      </h2>
      <p>{words('crisisText')}</p>
      <HelplineList helplines={helplines} />
      <SafetyPageLink />
    </section>
  );
}

/**
 * Helplines that stay in view until they are dismissed: the first one, and all of them after a click. At most a third of
 * the window while there is only one, so that the chat can be read.
 * @param messageId null for a message that could not be sent
 */
export function PinnedCrisisHelp({
  helplines,
  messageId,
  stop,
  onDismiss,
}: {
  helplines: readonly Helpline[];
  messageId: string | null;
  stop: () => Promise<void>;
  onDismiss: () => void;
}) {
  const words = useTranslate('chat');
  const lang = useLang();
  const id = useId();
  const [isExpanded, setExpanded] = useState(false);
  const leave = async () => {
    await stop();
    location.assign(`/${lang}`);
  };
  return (
    <section
      aria-labelledby={id}
      data-help={messageId ?? undefined}
      className={`${BOX} mb-1 gap-1 ps-3 pb-1 ${isExpanded ? 'max-h-[50dvh]' : 'max-h-[max(33dvh,11rem)] overflow-y-auto'}`}
    >
      <div className="flex items-start justify-between gap-2">
        <h2 id={id} className="py-3 font-serif text-base leading-tight">
          {words('crisisTitle')}
        </h2>
        <button type="button" className={ICON} aria-label={words('dismiss')} onClick={onDismiss}>
          <Icon name="close" />
        </button>
      </div>
      {/* The first line keeps its height, so that its number is in view even if the rest does not fit. */}
      <div
        id={`${id}-lines`}
        className={`flex flex-col gap-3 pe-3 ${isExpanded ? 'min-h-0 overflow-y-auto overscroll-contain' : 'shrink-0'}`}
      >
        {isExpanded ? <p>{words('crisisText')}</p> : null}
        <HelplineList helplines={isExpanded ? helplines : helplines.slice(0, 1)} isCompact={!isExpanded} />
        {isExpanded ? <SafetyPageLink /> : null}
      </div>
      <p className="flex flex-wrap gap-x-4 pe-3 text-sm">
        <button
          type="button"
          className={`${LINK} row-link`}
          aria-expanded={isExpanded}
          aria-controls={`${id}-lines`}
          onClick={() => setExpanded(!isExpanded)}
        >
          {words('crisisAllLines')}
        </button>
        <button type="button" className={`${LINK} row-link`} onClick={() => void leave()}>
          {words('crisisLeaveChat')}
        </button>
      </p>
    </section>
  );
}

function HelplineList({
  helplines,
  isCompact = false,
}: {
  helplines: readonly Helpline[];
  isCompact?: boolean;
}) {
  return (
    <ul className="flex flex-col gap-3">
      {helplines.map((line) => (
        <HelplineItem key={line.name} line={line} isCompact={isCompact} />
      ))}
    </ul>
  );
}

function SafetyPageLink() {
  const words = useTranslate('chat');
  return (
    <p>
      <a className={LINK} href={`/${useLang()}/safety`}>
        {words('crisisWhyLink')}
      </a>
    </p>
  );
}

/** @param isCompact with one way to reach the line: by phone, else by text message, else on its web page */
function HelplineItem({ line, isCompact }: { line: Helpline; isCompact: boolean }) {
  const words = useTranslate('chat');
  const { name, phone, text, url, hours } = line;
  const toCall = getPhoneLink(line);
  const isCallEnough = isCompact && toCall !== null;
  const toText = isCallEnough ? null : getTextLink(line);
  return (
    <li className="flex flex-col gap-1">
      <span>
        <strong>
          <UserText text={name} />
        </strong>
        {phone === null && text === null ? null : (
          <span className="text-text-quiet">
            {' '}
            · {words(hours === 'always' ? 'crisisHoursAlways' : 'crisisHoursLimited')}
          </span>
        )}
      </span>
      <span className="flex flex-wrap gap-x-4 gap-y-1">
        {toCall === null ? null : (
          <ContactLink href={toCall.href}>
            {toCall.then === null
              ? words('crisisCall', { number: toCall.number })
              : words('crisisCallThen', { number: toCall.number, key: toCall.then })}
          </ContactLink>
        )}
        {toText === null ? null : (
          <ContactLink href={toText.href}>
            {toText.word === null
              ? words('crisisSms', { number: toText.number })
              : words('crisisSmsWord', { number: toText.number, word: toText.word })}
          </ContactLink>
        )}
        {!isCallEnough && text !== null && toText === null ? <UserText text={text} /> : null}
        {url === null || (isCompact && (isCallEnough || text !== null)) ? null : (
          <a className={`${LINK} row-link`} href={url} target="_blank" rel="noreferrer">
            {new URL(url).hostname.replace(/^www\./, '')}
          </a>
        )}
      </span>
    </li>
  );
}

function ContactLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={`${LINK} row-link`} href={href}>
      {children}
    </a>
  );
}
