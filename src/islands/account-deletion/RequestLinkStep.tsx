import { useStore } from '@nanostores/react';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { SUSPENSION_RETENTION_DAYS } from '../../features/safety/limits.ts';
import { useTranslate, type MessageKey } from '../shared/i18n.tsx';
import { FIELD, SECONDARY } from '../shared/styles.ts';
import type { AccountDeletionFlow } from './deletion-state.ts';
import { DeletionError } from './DeletionError.tsx';

const DELETED_KEYS: MessageKey<'deletion'>[] = [
  'deletedChats',
  'deletedCharacters',
  'deletedPersonas',
  'deletedPoints',
  'deletedProfile',
];
const RETAINED_KEYS: MessageKey<'deletion'>[] = [
  'keptChats',
  'keptPayments',
  'keptFeedback',
  'keptSuspension',
  'keptBackups',
];

/** First step: what is deleted, what is kept, a download link, and the field for the account's email address. */
export function RequestLinkStep({ deletion }: { deletion: AccountDeletionFlow }) {
  const words = useTranslate('deletion');
  return (
    <>
      <p>{words('lead')}</p>
      <KeyList title={words('deletedTitle')} keys={DELETED_KEYS} />
      <KeyList title={words('keptTitle')} keys={RETAINED_KEYS} />
      <section className="flex flex-col items-start gap-2">
        <h2 className="text-xl">{words('downloadTitle')}</h2>
        <p>{words('downloadText')}</p>
        <a className={SECONDARY} href="/account#data">
          {words('downloadLink')}
        </a>
      </section>
      <AddressForm deletion={deletion} />
    </>
  );
}

function KeyList({ title, keys }: { title: string; keys: MessageKey<'deletion'>[] }) {
  const words = useTranslate('deletion');
  return (
    <section>
      <h2 className="text-xl">{title}</h2>
      <ul className="mt-1 list-disc ps-5">
        {keys.map((key) => (
          <li key={key} className="py-0.5">
            {words(key, { days: SUSPENSION_RETENTION_DAYS })}
          </li>
        ))}
      </ul>
    </section>
  );
}

function AddressForm({ deletion }: { deletion: AccountDeletionFlow }) {
  const words = useTranslate('deletion');
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
      <h2 className="text-xl">{words('requestTitle')}</h2>
      <p id={`${id}-note`}>{words('requestText')}</p>
      <label htmlFor={id} className="font-medium">
        {words('emailLabel')}
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
      <p id={`${id}-wrong`} role="alert" className={mismatch ? 'text-danger' : 'sr-only'}>
        {mismatch ? words('emailMismatch') : ''}
      </p>
      <DeletionError failure={failure} common={words('requestFailed')} />
      <p role="status" className={busy ? '' : 'sr-only'}>
        {busy ? words('sendingLink') : ''}
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="submit" className={`${SECONDARY} button-danger`} disabled={busy || email.trim() === ''}>
          {words('sendLink')}
        </button>
        <a className={SECONDARY} href="/account">
          {words('keepAccount')}
        </a>
      </div>
    </form>
  );
}
