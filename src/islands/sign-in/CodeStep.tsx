import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { formatTime } from '../../locales/format.ts';
import { isOfComposition } from '../shared/ui/is-composing.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { FIELD, PRIMARY, QUIET } from '../shared/styles.ts';
import { codeOf, emptyBoxes, erased, isComplete, moved, pasted, typed, type BoxesStep } from './otp-input.ts';
import { codeJourney as journey } from './code-flow.ts';
import { $signIn } from './sign-in-state.ts';

const POSITIONS = emptyBoxes().map((_, position) => position);

/** Six boxes for the digits of the code, where it was sent, and when a new one may be asked for. */
export function CodeStep() {
  const { sent, busy, mayAskAgain, refusals } = useStore($signIn);
  const words = useWords('signin');
  const lang = useLang();
  const [boxes, setBoxes] = useState(emptyBoxes);
  const fields = useRef<(HTMLInputElement | null)[]>([]);
  const id = useId();

  useEffect(() => {
    setBoxes(emptyBoxes());
    fields.current[0]?.focus();
  }, [refusals]);

  const focus = (index: number) => {
    fields.current[index]?.focus();
    fields.current[index]?.select();
  };
  const take = (step: BoxesStep) => {
    setBoxes(step.boxes);
    focus(step.focus);
  };
  const onKeyDown = (index: number, event: KeyboardEvent) => {
    if (isOfComposition(event.nativeEvent)) return;
    if (event.key === 'Backspace') {
      event.preventDefault();
      take(erased(boxes, index));
      return;
    }
    const to = moved(index, event.key);
    if (to === null) return;
    event.preventDefault();
    focus(to);
  };
  const onPaste = (index: number, event: ClipboardEvent) => {
    event.preventDefault();
    take(pasted(boxes, index, event.clipboardData.getData('text')));
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(boxes)) void journey.submitCode(codeOf(boxes));
      }}
    >
      <p id={`${id}-sent`} className="break-words text-text-quiet">
        {words('codeSentTo', { email: sent?.email ?? '' })}
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
              className={`${FIELD} h-12 w-full text-center tabular-nums`}
              aria-label={words('codeDigit', { number: index + 1, count: boxes.length })}
              autoComplete={index === 0 ? 'one-time-code' : 'off'}
              inputMode="numeric"
              pattern="[0-9]*"
              enterKeyHint="done"
              value={boxes[index] ?? ''}
              onChange={(event) => take(typed(boxes, index, event.target.value))}
              onKeyDown={(event) => onKeyDown(index, event)}
              onPaste={(event) => onPaste(index, event)}
              onFocus={(event) => event.target.select()}
            />
          ))}
        </div>
      </fieldset>
      <button type="submit" className={PRIMARY} disabled={busy || !isComplete(boxes)} aria-busy={busy}>
        {words(busy ? 'verifying' : 'verify')}
      </button>
      {mayAskAgain ? (
        <button type="button" className={QUIET} disabled={busy} onClick={() => void journey.askForNewCode()}>
          {words('sendNewCode')}
        </button>
      ) : (
        <p className="text-sm text-text-quiet">
          {sent ? words('newCodeFrom', { time: formatTime(sent.newFrom, lang) }) : null}
        </p>
      )}
    </form>
  );
}
