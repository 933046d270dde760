import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { AppealPrompt } from '../safety/Appeal.tsx';
import { FieldWithCounter, getDescriptionIds } from '../shared/ui/FieldWithCounter.tsx';
import { DialogHead, PANEL } from '../shared/ui/DialogHead.tsx';
import { formatFailure } from '../shared/errors.ts';
import { LazyMessages } from '../shared/ui/LazyMessages.tsx';
import type { DictionaryUrls } from '../shared/load-messages.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { useReturnFocus } from '../shared/ui/return-focus.ts';
import { FIELD, PRIMARY, QUIET, SECONDARY } from '../shared/styles.ts';
import { onboardingFlow as journey } from './onboarding-flow.ts';
import {
  $onboarding,
  isInviteCodeMalformed,
  getNicknameLength,
  isAboutNickname,
  isNicknameTooLong,
} from './onboarding-state.ts';

const handleSkip = () => void journey.skip();

/** The onboarding dialog. Its island is on every page and hydrates when `startOnboarding` opens it. */
export function Onboarding({
  lang,
  words,
  asksSpicy,
}: {
  lang: string;
  words: DictionaryUrls<'onboarding' | 'errors'>;
  /** Whether users can turn on spicy mode: the site allows it, and a declaration of age is enough. */
  asksSpicy: boolean;
}) {
  return (
    <LazyMessages name="onboarding" lang={lang} files={words}>
      <OnboardingModal asksSpicy={asksSpicy} />
    </LazyMessages>
  );
}

function OnboardingModal({ asksSpicy }: { asksSpicy: boolean }) {
  const { open, awarded } = useStore($onboarding, { ssr: 'initial' });
  const words = useTranslate('onboarding');
  const titleId = useId();
  useReturnFocus(open);
  return (
    <Modal open={open} onClose={journey.closeFlow} labelledBy={titleId} className={PANEL}>
      <DialogHead titleId={titleId} title={words(awarded > 0 ? 'bonusTitle' : 'title')} />
      {awarded > 0 ? <PointsAward points={awarded} /> : <OnboardingForm asksSpicy={asksSpicy} />}
    </Modal>
  );
}

function PointsAward({ points }: { points: number }) {
  const words = useTranslate('onboarding');
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="flex flex-col gap-5">
      <p id={id}>{words('bonusPoints', { count: points })}</p>
      <button
        ref={button}
        type="button"
        className={PRIMARY}
        aria-describedby={id}
        onClick={journey.finishFlow}
      >
        {words('bonusContinue')}
      </button>
    </div>
  );
}

function OnboardingForm({ asksSpicy }: { asksSpicy: boolean }) {
  const { busy, trouble } = useStore($onboarding);
  const words = useTranslate('onboarding');
  const errors = useTranslate('errors');
  const lang = useLang();
  const line = useRef<HTMLParagraphElement>(null);
  // With a phone's keyboard open, the dialog is shorter than its content.
  useEffect(() => {
    if (trouble) line.current?.scrollIntoView({ block: 'center' });
  }, [trouble]);
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void journey.save();
      }}
    >
      <p className="-mt-2 text-text-quiet">{words('lead')}</p>
      <NicknameField />
      <InviteField />
      {asksSpicy ? <SpicyField /> : null}
      <p ref={line} role="alert" className="text-danger empty:hidden">
        {trouble && !isAboutNickname(trouble) ? formatFailure(trouble, errors, lang) : null}
      </p>
      <div className="flex flex-col gap-2">
        <button type="submit" className={PRIMARY} disabled={busy} aria-busy={busy}>
          {words(busy ? 'saving' : 'saveAndStart')}
        </button>
        <button type="button" className={QUIET} onClick={handleSkip}>
          {words('skip')}
        </button>
      </div>
    </form>
  );
}

function NicknameField() {
  const state = useStore($onboarding);
  const words = useTranslate('onboarding');
  const errors = useTranslate('errors');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const lang = useLang();
  const tooLong = isNicknameTooLong(state);
  const refused = state.trouble?.refused;
  const refusal =
    state.trouble && isAboutNickname(state.trouble) ? formatFailure(state.trouble, errors, lang) : null;
  return (
    <>
      <FieldWithCounter
        id={id}
        label={words('nicknameLabel')}
        length={words('nicknameLength', { used: getNicknameLength(state), limit: TEXT_LIMITS.nickname })}
        over={tooLong}
        note={words('nicknameNote')}
        wrong={tooLong ? errors('nickname_too_long') : refusal}
      >
        <input
          ref={field}
          id={id}
          name="nickname"
          // oxlint-disable-next-line jsx-a11y/autocomplete-valid -- HTML has this value
          autoComplete="nickname"
          enterKeyHint="done"
          className={`${FIELD} w-full px-3 py-2`}
          value={state.nickname}
          aria-describedby={getDescriptionIds(id)}
          aria-invalid={tooLong || refusal !== null}
          onChange={(event) => journey.setNickname(event.target.value)}
        />
      </FieldWithCounter>
      {refused === undefined ? null : (
        <AppealPrompt key={refused.text} refused={{ place: 'name', ...refused }} />
      )}
    </>
  );
}

function InviteField() {
  const state = useStore($onboarding);
  const words = useTranslate('onboarding');
  const errors = useTranslate('errors');
  const id = useId();
  const malformed = isInviteCodeMalformed(state);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {words('inviteLabel')}
      </label>
      <input
        id={id}
        name="invite-code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        className={`${FIELD} w-full px-3 py-2`}
        value={state.inviteCode}
        aria-describedby={`${id}-note ${id}-wrong`}
        aria-invalid={malformed || state.trouble?.code === 'invite_code_invalid'}
        onChange={(event) => journey.setInviteCode(event.target.value)}
      />
      <p id={`${id}-note`} className="text-sm text-text-quiet">
        {words('inviteNote')}
      </p>
      <p id={`${id}-wrong`} role="status" className="text-sm text-danger empty:hidden">
        {malformed ? errors('invite_code_format') : null}
      </p>
    </div>
  );
}

/** The spicy mode switch, with the age question if the age is not confirmed yet. */
function SpicyField() {
  const { spicy, busy } = useStore($onboarding);
  const words = useTranslate('onboarding');
  const id = useId();
  const question = useRef<HTMLDivElement>(null);
  const answer = useRef<HTMLButtonElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (spicy === 'asking') {
      answer.current?.focus();
      question.current?.scrollIntoView({ block: 'nearest' });
    } else if (asked.current) {
      toggle.current?.focus();
    }
    asked.current = spicy === 'asking';
  }, [spicy]);
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3">
      <button
        ref={toggle}
        type="button"
        role="switch"
        aria-checked={spicy === 'on'}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-note`}
        className="switch -mx-3 w-auto!"
        disabled={busy}
        onClick={journey.toggleSpicy}
      >
        <Icon name="spicy" />
        <span id={`${id}-label`}>{words('spicyLabel')}</span>
        <span className="switch-track" />
      </button>
      <p id={`${id}-note`} className="text-sm text-text-quiet">
        {words('spicyNote')}
      </p>
      {spicy === 'asking' ? (
        <div
          ref={question}
          role="group"
          aria-labelledby={`${id}-age`}
          className="mt-2 flex flex-col gap-2 rounded-md bg-surface-2 p-3"
        >
          <p id={`${id}-age`} className="font-medium">
            {words('ageTitle')}
          </p>
          <div className="flex flex-wrap gap-1">
            <button ref={answer} type="button" className={SECONDARY} onClick={journey.confirmAge}>
              {words('ageConfirm')}
            </button>
            <button type="button" className={QUIET} onClick={journey.declineAge}>
              {words('ageCancel')}
            </button>
          </div>
        </div>
      ) : null}
    </div>
  );
}
