import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { isFreeTag, listDistinctFreeTags, normalizeFreeTag } from '../../../features/character/free-tags.ts';
import { FREE_TAGS, TAGS } from '../../../features/character/limits.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { FIELD } from '../../shared/styles.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { characterForm } from '../character-form.ts';
import { useCharacterForm, useFieldError } from '../use-field-errors.ts';
import { getFieldId } from './field-focus.ts';
import { FieldErrorText } from './TextField.tsx';

/** Tags in the creator's own words: Enter or a comma ends one, Backspace in an empty field removes the last one. */
export function FreeTagsField() {
  const words = useTranslate('create');
  const wrong = useFieldError()('free_tags');
  const { free_tags: tags, tags: chosen } = useCharacterForm().fields;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<'full' | 'too_long' | null>(null);
  const [status, setStatus] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const id = getFieldId('free_tags');
  const label = useId();
  const { maxPerCharacter: limit, maxChars } = FREE_TAGS;
  const message =
    problem === null
      ? wrong
      : words(`free_tags_${problem}`, { limit: problem === 'full' ? limit : maxChars });

  /** Adds the tags of a text; what cannot be added stays in the field. */
  const add = (typed: string) => {
    const written = typed
      .split(/[,;\n]/u)
      .map(normalizeFreeTag)
      .filter((tag) => tag !== '');
    const next = listDistinctFreeTags([...tags, ...written.filter(isFreeTag)]);
    const named = TAGS.filter((tag) => chosen.includes(tag) || written.includes(tag));
    const added = next.slice(tags.length, limit);
    if (added.length > 0 || named.length > chosen.length)
      characterForm.write({ free_tags: next.slice(0, limit), tags: named });
    const rest = [...written.filter((tag) => !isFreeTag(tag)), ...next.slice(limit)];
    setText(rest.join(', '));
    setProblem(rest.length === 0 ? null : next.length > limit ? 'full' : 'too_long');
    if (added.length > 0) setStatus(words('free_tags_added', { tag: added.join(', ') }));
  };
  const remove = (tag: string) => {
    characterForm.write({ free_tags: tags.filter((one) => one !== tag) });
    setProblem(null);
    setStatus(words('free_tags_removed', { tag }));
    input.current?.focus();
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const last = tags.at(-1);
    if (event.key === 'Enter') {
      // Enter must not submit the form; only the button publishes.
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last);
  };

  return (
    <div className="form-field" role="group" aria-labelledby={label}>
      <div className="form-label">
        <label id={label} htmlFor={id}>
          {words('free_tagsLabel')}
        </label>
        <span className="quiet">{words('optionalBadge')}</span>
      </div>
      <p id={`${id}-note`} className="form-note">
        {words('free_tagsNote', { limit })}
      </p>
      {tags.length > 0 ? (
        <ul className="tag-choices">
          {tags.map((tag) => (
            <li key={tag}>
              <button
                type="button"
                className="chip gap-2"
                aria-label={words('free_tags_remove', { tag })}
                onClick={() => remove(tag)}
              >
                <span dir="auto">{tag}</span>
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <input
        ref={input}
        id={id}
        type="text"
        className={FIELD}
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="enter"
        value={text}
        aria-invalid={message !== null}
        aria-describedby={`${id}-wrong ${id}-note`}
        onChange={({ target }) => (/[,;\n]/u.test(target.value) ? add(target.value) : setText(target.value))}
        onKeyDown={handleKey}
        onBlur={() => text.trim() !== '' && add(text)}
      />
      <FieldErrorText id={id} wrong={message} />
      <p role="status" className="sr-only">
        {status}
      </p>
    </div>
  );
}
