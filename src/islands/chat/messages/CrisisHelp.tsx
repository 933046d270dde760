import { useId, type ReactNode } from 'react';
import { getPhoneLink, getTextLink } from '../../../features/safety/helpline-links.ts';
import type { Helpline } from '../../../features/safety/helplines.ts';
import { UserText } from '../../shared/ui/UserText.tsx';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { LINK, PRIMARY, SECONDARY } from '../../shared/styles.ts';

/**
 * Helplines for a message that sounds as if its author needs help. Calm, and never blocks the chat.
 * @param choice set while the user has not chosen to leave or to continue: what to do in each case
 */
export function CrisisHelp({
  helplines,
  choice: actions = null,
}: {
  helplines: readonly Helpline[];
  choice?: { stop: () => Promise<void>; goOn: () => void } | null;
}) {
  const words = useTranslate('chat');
  const lang = useLang();
  const id = useId();
  const leave = async () => {
    await actions?.stop();
    location.assign(`/${lang}`);
  };
  return (
    <section
      aria-labelledby={id}
      className="my-3 flex w-full flex-col gap-3 rounded-md border-2 border-state bg-surface p-4 text-start text-text"
    >
      <h2 id={id} className="font-serif text-lg">
        {words('crisisTitle')}
      </h2>
      <p>{words('crisisText')}</p>
      <ul className="flex flex-col gap-3">
        {helplines.map((line) => (
          <HelplineItem key={line.name} line={line} />
        ))}
      </ul>
      <p>
        <a className={LINK} href={`/${lang}/safety`}>
          {words('crisisPage')}
        </a>
      </p>
      {actions ? (
        <p className="flex flex-wrap gap-2">
          <button type="button" className={PRIMARY} onClick={() => void leave()}>
            {words('crisisStop')}
          </button>
          <button type="button" className={SECONDARY} onClick={actions.goOn}>
            {words('crisisGoOn')}
          </button>
        </p>
      ) : null}
    </section>
  );
}

function HelplineItem({ line }: { line: Helpline }) {
  const words = useTranslate('chat');
  const { name, phone, text, url, hours } = line;
  const toCall = getPhoneLink(line);
  const toText = getTextLink(line);
  return (
    <li className="flex flex-col gap-1">
      <span>
        <strong>
          <UserText text={name} />
        </strong>
        {phone === null && text === null ? null : (
          <span className="text-text-quiet">
            {' '}
            · {words(hours === 'always' ? 'crisisAlways' : 'crisisLimited')}
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
              ? words('crisisWrite', { number: toText.number })
              : words('crisisWriteWord', { number: toText.number, word: toText.word })}
          </ContactLink>
        )}
        {text !== null && toText === null ? <UserText text={text} /> : null}
        {url === null ? null : (
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
