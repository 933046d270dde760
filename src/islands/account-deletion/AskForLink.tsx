import { useStore } from '@nanostores/react';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { SUSPENSION_KEPT_DAYS } from '../../features/safety/limits.ts';
import { useWords, type MessageKey } from '../shared/i18n.tsx';
import { FIELD, SECONDARY } from '../shared/styles.ts';
import type { Deletion } from './deletion-state.ts';
import { Trouble } from './Trouble.tsx';

const GOES: MessageKey<'deletion'>[] = [
  'goesChats',
  'goesCharacters',
  'goesPersonas',
  'goesPoints',
  'goesProfile',
];
const STAYS: MessageKey<'deletion'>[] = [
  'staysStories',
  'staysPayments',
  'staysFeedback',
  'staysSuspension',
  'staysBackups',
];

/** The first step: what goes, what stays, what one may take along, and the address that is to be typed. */
export function AskForLink({ deletion }: { deletion: Deletion }) {
  const words = useWords('deletion');
  return (
    <>
      <p>{words('lead')}</p>
      <List title={words('goesTitle')} keys={GOES} />
      <List title={words('staysTitle')} keys={STAYS} />
      <section className="flex flex-col items-start gap-2">
        <h2 className="text-xl">{words('copyTitle')}</h2>
        <p>{words('copyText')}</p>
        <a className={SECONDARY} href="/api/account/export" download>
          {words('copy')}
        </a>
      </section>
      <AddressForm deletion={deletion} />
    </>
  );
}

function List({ title, keys }: { title: string; keys: MessageKey<'deletion'>[] }) {
  const words = useWords('deletion');
  return (
    <section>
      <h2 className="text-xl">{title}</h2>
      <ul className="mt-1 list-disc ps-5">
        {keys.map((key) => (
          <li key={key} className="py-0.5">
            {words(key, { days: SUSPENSION_KEPT_DAYS })}
          </li>
        ))}
      </ul>
    </section>
  );
}

function AddressForm({ deletion }: { deletion: Deletion }) {
  const words = useWords('deletion');
  const { busy, mismatch, failure } = useStore(deletion.$state, { ssr: 'initial' });
  const [email, setEmail] = useState('');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    await deletion.request(email);
    if (deletion.$state.get().mismatch) field.current?.focus();
  };
  return (
    <form className="flex flex-col items-start gap-3" onSubmit={(event) => void submit(event)} noValidate>
      <h2 className="text-xl">{words('askTitle')}</h2>
      <p id={`${id}-note`}>{words('askText')}</p>
      <label htmlFor={id} className="font-medium">
        {words('email')}
      </label>
      <input
        ref={field}
        id={id}
        type="email"
        name="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        className={`${FIELD} w-full`}
        value={email}
        aria-required
        aria-invalid={mismatch}
        aria-describedby={`${id}-wrong ${id}-note`}
        onChange={(event) => setEmail(event.target.value)}
      />
      <p id={`${id}-wrong`} role="alert" className={mismatch ? 'text-harm' : 'sr-only'}>
        {mismatch ? words('mismatch') : ''}
      </p>
      <Trouble failure={failure} />
      <p role="status" className={busy ? '' : 'sr-only'}>
        {busy ? words('sending') : ''}
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="submit" className={`${SECONDARY} button-harm`} disabled={busy || email.trim() === ''}>
          {words('send')}
        </button>
        <a className={SECONDARY} href="/account">
          {words('keep')}
        </a>
      </div>
    </form>
  );
}
