import { useId, useState, type Ref } from 'react';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import type { ReplyStyle } from '../../../features/reply-style/contract.ts';
import {
  getReplyWords,
  getTemperature,
  LIVELINESS,
  LIVELINESS_STEPS,
  MAX_NOTE_DEPTH,
  REPLY_LENGTHS,
  REPLY_WORDS,
  type ReplyLength,
} from '../../../features/reply-style/reply-style.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { FIELD } from '../../shared/styles.ts';
import { Icon } from '../../shared/ui/Icon.tsx';

/** The words of a reply of medium length, which has no number of its own. */
const MEDIUM_WORDS = 200;
const toWords = (length: ReplyLength): number => getReplyWords(length)?.most ?? MEDIUM_WORDS;

/** The fields of a reply style. Numbers are checked by the browser when the form around them is sent. */
export function ReplyStyleFields({
  style,
  onChange,
  noteRef,
}: {
  style: ReplyStyle;
  onChange: (change: Partial<ReplyStyle>) => void;
  noteRef?: Ref<HTMLTextAreaElement>;
}) {
  const words = useTranslate('chat');
  const id = useId();
  return (
    <>
      <div className="flex flex-col gap-1">
        <label htmlFor={id}>{words('authorNoteLabel')}</label>
        <textarea
          ref={noteRef}
          id={id}
          rows={4}
          dir="auto"
          maxLength={TEXT_LIMITS.authorNote}
          className={FIELD}
          value={style.author_note}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onChange({ author_note: target.value })}
        />
        <p id={`${id}-hint`} className="text-sm text-text-quiet">
          {words('authorNoteHint', { limit: TEXT_LIMITS.authorNote })}
        </p>
      </div>
      <StepChoice
        label={words('replyLengthLabel')}
        hint={words('replyLengthHint')}
        steps={REPLY_LENGTHS.map((step) => ({ step, label: words(`replyLength_${step}`) }))}
        value={style.reply_length}
        onChange={(length) => onChange({ reply_length: length })}
        number={{ ...REPLY_WORDS, step: 1, label: words('replyWordsLabel'), convert: toWords }}
      />
      <StepChoice
        label={words('livelinessLabel')}
        hint={words('livelinessHint')}
        steps={LIVELINESS_STEPS.map((step) => ({ step, label: words(`liveliness_${step}`) }))}
        value={style.liveliness}
        onChange={(liveliness) => onChange({ liveliness })}
        number={{ ...LIVELINESS, label: words('temperatureLabel'), convert: getTemperature }}
      />
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-4">
          {words('replySettingsMore')}
          <span className="text-text-quiet group-open:-scale-y-100">
            <Icon name="chevron" size={16} />
          </span>
        </summary>
        <div className="flex flex-col gap-1">
          <NumberField
            label={words('authorNoteDepthLabel')}
            hintId={`${id}-depth`}
            min={0}
            max={MAX_NOTE_DEPTH}
            step={1}
            value={style.author_note_depth}
            onChange={(depth) => onChange({ author_note_depth: depth })}
          />
          <p id={`${id}-depth`} className="text-sm text-text-quiet">
            {words('authorNoteDepthHint')}
          </p>
        </div>
      </details>
    </>
  );
}

/** A choice between steps and a number. */
function StepChoice<Step extends string>({
  label,
  hint,
  steps,
  value,
  onChange,
  number: { convert, ...number },
}: {
  label: string;
  hint: string;
  steps: readonly { step: Step; label: string }[];
  value: Step | number;
  onChange: (value: Step | number) => void;
  number: {
    label: string;
    min: number;
    max: number;
    step: number;
    /** Returns the number with which to begin instead of a step. */
    convert: (value: Step | number) => number;
  };
}) {
  const words = useTranslate('chat');
  const id = useId();
  const options = [
    ...steps.map(({ step, label: name }) => ({ name, value: step, isChosen: value === step })),
    { name: words('replyLengthCustom'), value: convert(value), isChosen: typeof value === 'number' },
  ];
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={`${id}-hint`}>
      <legend className="mb-1">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map(({ name, value: option, isChosen }) => (
          <label key={name} className="chip grow basis-[40%]">
            <input type="radio" name={id} checked={isChosen} onChange={() => onChange(option)} />
            <span>{name}</span>
          </label>
        ))}
      </div>
      {typeof value === 'number' ? <NumberField {...number} value={value} onChange={onChange} /> : null}
      <p id={`${id}-hint`} className="text-sm text-text-quiet">
        {hint}
      </p>
    </fieldset>
  );
}

/** A number with its label. What is no valid number stays in the field until it is corrected. */
function NumberField({
  label,
  hintId,
  value,
  onChange,
  ...bounds
}: {
  label: string;
  hintId?: string;
  min: number;
  max: number;
  step: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <label className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <span>
        {label}{' '}
        <span className="text-sm text-text-quiet tabular-nums">
          {bounds.min}–{bounds.max}
        </span>
      </span>
      <input
        {...bounds}
        type="number"
        inputMode={bounds.step < 1 ? 'decimal' : 'numeric'}
        required
        className={`${FIELD} max-w-32`}
        value={draft ?? value}
        aria-describedby={hintId}
        onChange={({ target }) => {
          setDraft(target.value);
          if (target.validity.valid) onChange(target.valueAsNumber);
        }}
        onBlur={({ target }) => target.validity.valid && setDraft(null)}
        // The browser cannot point to a field in a closed part.
        onInvalid={({ currentTarget }) => currentTarget.closest('details')?.setAttribute('open', '')}
      />
    </label>
  );
}
