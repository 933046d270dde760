import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { isComposingKey } from '../shared/ui/is-composing.ts';
import { LOGIN_CODE } from '../../features/account/limits.ts';
import { formatTime } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { formatCountdown } from '../shared/retry-wait.ts';
import { FIELD, PRIMARY, QUIET } from '../shared/styles.ts';
import { useSecondsLeft } from '../shared/ui/use-seconds-left.ts';
import {
  joinDigits,
  createEmptyDigits,
  handleBackspace,
  isCodeComplete,
  getNextIndex,
  handlePaste,
  handleTyping,
  type OtpUpdate,
} from './otp-input.ts';
import { codeFlow as journey } from './code-flow.ts';
import { $signIn } from './sign-in-state.ts';

const POSITIONS = createEmptyDigits().map((_, position) => position);

/** The code input, the address that the code went to, and when a new one may be requested. */
export function CodeStep() {
  const { sent, busy, canResend, refusals } = useStore($signIn);
  const words = useTranslate('signin');
  const lang = useLang();
  const secondsLeft = useSecondsLeft(sent?.resendAt ?? null);
  const [digits, setDigits] = useState(createEmptyDigits);
  const fields = useRef<(HTMLInputElement | null)[]>([]);
  const id = useId();

  useEffect(() => {
    setDigits(createEmptyDigits());
    fields.current[0]?.focus();
  }, [refusals]);

  const focus = (index: number) => {
    fields.current[index]?.focus();
    fields.current[index]?.select();
  };
  const applyStep = (step: OtpUpdate) => {
    setDigits(step.boxes);
    focus(step.focus);
  };
  const onKeyDown = (index: number, event: KeyboardEvent) => {
    if (isComposingKey(event.nativeEvent)) return;
    if (event.key === 'Backspace') {
      event.preventDefault();
      applyStep(handleBackspace(digits, index));
      return;
    }
    const to = getNextIndex(index, event.key);
    if (to === null) return;
    event.preventDefault();
    focus(to);
  };
  const onPaste = (index: number, event: ClipboardEvent) => {
    event.preventDefault();
    applyStep(handlePaste(digits, index, event.clipboardData.getData('text')));
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isCodeComplete(digits)) void journey.submitCode(joinDigits(digits));
      }}
    >
      <p id={`${id}-sent`} className="break-words text-text-quiet">
        {words('codeSent', { email: sent?.email ?? '' })}
      </p>
      <fieldset aria-describedby={`${id}-sent`} className="min-w-0">
        <legend className="mb-2 font-medium">{words('codeLabel')}</legend>
        <div className="grid grid-cols-6 gap-2" dir="ltr">
          {POSITIONS.map((index) => (
            <input
              key={index}
              ref={(element) => {
                fields.current[index] = element;
              }}
              className={`${FIELD} h-12 w-full text-center [font-variant-numeric:tabular-nums]`}
              aria-label={words('codeDigit', { number: index + 1, count: digits.length })}
              autoComplete={index === 0 ? 'one-time-code' : 'off'}
              inputMode="numeric"
              pattern="[0-9]*"
              enterKeyHint="done"
              value={digits[index] ?? ''}
              onChange={(event) => applyStep(handleTyping(digits, index, event.target.value))}
              onKeyDown={(event) => onKeyDown(index, event)}
              onPaste={(event) => onPaste(index, event)}
              onFocus={(event) => event.target.select()}
            />
          ))}
        </div>
      </fieldset>
      <button type="submit" className={PRIMARY} disabled={busy || !isCodeComplete(digits)} aria-busy={busy}>
        {words(busy ? 'verifying' : 'verify')}
      </button>
      {canResend ? (
        <button type="button" className={QUIET} disabled={busy} onClick={() => void journey.requestNewCode()}>
          {words('sendNewCode')}
        </button>
      ) : (
        <p role="timer" className="text-sm text-text-quiet [font-variant-numeric:tabular-nums]">
          {sent === null
            ? null
            : secondsLeft > LOGIN_CODE.resendAfterMs / 1000
              ? words('newCodeAt', { time: formatTime(sent.resendAt, lang) })
              : words('newCodeIn', { time: formatCountdown(secondsLeft) })}
        </p>
      )}
    </form>
  );
}
