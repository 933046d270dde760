import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { CHARACTER_TEXTS } from '../../../features/character/character-rules.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ICON, SECONDARY } from '../../shared/styles.ts';
import { showToast, UNDO_MS } from '../../shared/toasts-state.ts';
import { characterForm } from '../character-form.ts';
import { getFieldId } from './field-focus.ts';
import { type ListField, MAX_ITEMS } from '../form-rules.ts';
import { isSameForm } from '../form-state.ts';
import { TextField } from './TextField.tsx';
import { useCharacterForm, useFieldError } from '../use-field-errors.ts';

/** Focuses the first enabled control of several ids after the next render. */
function useDeferredFocus(): (...ids: string[]) => void {
  const wanted = useRef<string[]>([]);
  useEffect(() => {
    const controls = wanted.current.map((id) => document.getElementById(id));
    wanted.current = [];
    controls.find((control) => control?.matches(':not(:disabled)'))?.focus();
  });
  return (...ids) => {
    wanted.current = ids;
  };
}

interface ListLabels {
  removed: string;
  add: string;
  getRemoveLabel: (number: number) => string;
}

/** An editable list of texts; with `order`, the items can be moved. */
function TextList({
  field,
  said,
  order,
  children,
}: {
  field: ListField;
  said: ListLabels;
  order?: {
    up: (number: number) => string;
    down: (number: number) => string;
    moved: (number: number) => string;
  };
  /** Renders one item. */
  children: (props: {
    id: string;
    value: string;
    index: number;
    write: (value: string) => void;
  }) => ReactNode;
}) {
  const words = useTranslate('create');
  const { fields } = useCharacterForm();
  const id = useId();
  const focus = useDeferredFocus();
  const [status, setStatus] = useState('');
  const { [field]: items } = fields;
  const put = (next: readonly string[]) => characterForm.write({ [field]: next });
  const buttonId = (index: number, what: 'up' | 'down') => `${getFieldId(field, index)}-${what}`;

  const remove = (index: number) => {
    const text = items[index] ?? '';
    const before = characterForm.$form.get();
    put(items.toSpliced(index, 1));
    focus(getFieldId(field, index), getFieldId(field, index - 1), getFieldId(field));
    if (text.trim() === '') return;
    showToast({
      text: said.removed,
      durationMs: UNDO_MS,
      action: {
        label: words('undo'),
        run: () => {
          const now = characterForm.$form.get();
          const { [field]: texts } = now.fields;
          if (isSameForm(before, now) && texts.length < MAX_ITEMS[field])
            put(texts.toSpliced(index, 0, text));
        },
      },
    });
  };
  const moveItem = (index: number, offset: 1 | -1) => {
    const next = [...items];
    [next[index], next[index + offset]] = [items[index + offset] ?? '', items[index] ?? ''];
    put(next);
    const [same, other] = offset === 1 ? (['down', 'up'] as const) : (['up', 'down'] as const);
    focus(buttonId(index + offset, same), buttonId(index + offset, other));
    setStatus(order?.moved(index + offset + 1) ?? '');
  };

  return (
    <fieldset className="form-field" aria-describedby={`${id}-note`}>
      <legend>
        {words(`${field}Label`)} <span className="quiet">{words('optionalBadge')}</span>
      </legend>
      <p id={`${id}-note`} className="form-note">
        {words(`${field}Note`, { limit: MAX_ITEMS[field] })}
      </p>
      {items.map((value, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- items have no id
        <div key={index} className="list-item">
          {children({
            id: getFieldId(field, index),
            value,
            index,
            write: (text) => put(items.with(index, text)),
          })}
          <div className="list-buttons">
            {order === undefined ? null : (
              <>
                <button
                  type="button"
                  id={buttonId(index, 'up')}
                  className={`${ICON} list-up`}
                  aria-label={order.up(index + 1)}
                  disabled={index === 0}
                  onClick={() => moveItem(index, -1)}
                >
                  <Icon name="chevron" />
                </button>
                <button
                  type="button"
                  id={buttonId(index, 'down')}
                  className={ICON}
                  aria-label={order.down(index + 1)}
                  disabled={index === items.length - 1}
                  onClick={() => moveItem(index, 1)}
                >
                  <Icon name="chevron" />
                </button>
              </>
            )}
            <button
              type="button"
              className={ICON}
              aria-label={said.getRemoveLabel(index + 1)}
              onClick={() => remove(index)}
            >
              <Icon name="trash" />
            </button>
          </div>
        </div>
      ))}
      <p role="status" className="sr-only">
        {status}
      </p>
      {items.length < MAX_ITEMS[field] ? (
        <button
          type="button"
          id={getFieldId(field)}
          className={SECONDARY}
          onClick={() => {
            put([...items, '']);
            focus(getFieldId(field, items.length));
          }}
        >
          <Icon name="create" />
          {said.add}
        </button>
      ) : null}
    </fieldset>
  );
}

/** Alternative first messages of a conversation. */
export function AlternateGreetingsField() {
  const words = useTranslate('create');
  const wrong = useFieldError();
  return (
    <TextList
      field="alternate_greetings"
      said={{
        removed: words('greetingRemoved'),
        add: words('greetingAdd'),
        getRemoveLabel: (number) => words('greetingRemove', { number }),
      }}
      order={{
        up: (number) => words('greetingMoveUp', { number }),
        down: (number) => words('greetingMoveDown', { number }),
        moved: (number) => words('greetingMoved', { number }),
      }}
    >
      {({ index, ...text }) => (
        <TextField
          {...text}
          label={words('greetingLabel', { number: index + 1 })}
          optional
          quietly
          rows={4}
          limit={CHARACTER_TEXTS.first_message.max}
          wrong={wrong('alternate_greetings', index)}
        />
      )}
    </TextList>
  );
}

/** Replies suggested to the user at the start of a conversation. */
export function SuggestedRepliesField() {
  const words = useTranslate('create');
  const wrong = useFieldError();
  return (
    <TextList
      field="suggested_replies"
      said={{
        removed: words('replyRemoved'),
        add: words('replyAdd'),
        getRemoveLabel: (number) => words('replyRemove', { number }),
      }}
    >
      {({ index, ...text }) => (
        <TextField
          {...text}
          label={words('replyLabel', { number: index + 1 })}
          optional
          quietly
          wrong={wrong('suggested_replies', index)}
        />
      )}
    </TextList>
  );
}
