import { memo, useState } from 'react';
import {
  type EntryChange,
  getEntryTitle,
  type EntryView,
  splitNonEmptyLines,
  getInactiveReason,
} from '../../../features/character/lorebook/lorebook-edit.ts';
import { LORE_LIMITS } from '../../../features/character/lorebook/lorebook-rules.ts';
import { dequal } from 'dequal';
import { UserText } from '../../shared/ui/UserText.tsx';
import { useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { FIELD, ICON } from '../../shared/styles.ts';
import { showToast, UNDO_MS } from '../../shared/toasts-state.ts';
import { getFieldId } from '../fields/field-focus.ts';
import { lorebookStore } from './lorebook-store.ts';
import { NumberField } from '../fields/NumberField.tsx';
import { TextField, FieldErrorText } from '../fields/TextField.tsx';

/** Id of the control that names an entry. */
export const getEntryNameId = (place: number): string => `${getFieldId('lorebook', place)}-name`;

interface EntryProps {
  /** Index in the book, from 0. */
  place: number;
  /** Null if it cannot be parsed as an entry. */
  view: EntryView | null;
  open: boolean;
  /** The stored order, of any type. */
  order: unknown;
  /** The limit that the entry exceeds, as text. */
  wrong: string | null;
}

/** One entry: title, actions and, when open, all of its fields. */
export const LoreEntry = memo(
  function LoreEntry({ place, view, open, order, wrong }: EntryProps) {
    const words = useTranslate('create');
    const id = getFieldId('lorebook', place);
    const number = place + 1;
    const title = view === null ? '' : getEntryTitle(view);
    const remove = () => {
      const undoRemove = lorebookStore.removeEntry(place);
      // Focus the next entry, which now has this index, or the add button after the last one.
      document.getElementById(getFieldId('lorebook'))?.focus({ preventScroll: true });
      lorebookStore.updateView({ wanted: id });
      showToast({
        text: words('loreEntryRemoved'),
        durationMs: UNDO_MS,
        action: { label: words('undo'), run: undoRemove },
      });
    };
    const duplicate = () => {
      const copied = lorebookStore.duplicateEntry(place);
      if (copied === null) return;
      lorebookStore.updateView({ wanted: getEntryNameId(copied) });
      showToast({ text: words('loreEntryDuplicated') });
    };
    return (
      <li className="lore-entry">
        <div className="lore-head">
          {view === null ? (
            <p id={id} tabIndex={-1} className="form-note">
              {words('loreEntryTitle', { number })}: {words('loreEntryUnreadable')}
            </p>
          ) : (
            <button
              type="button"
              id={id}
              className="lore-name"
              aria-expanded={open}
              onClick={() => lorebookStore.updateView({ entry: open ? null : place })}
            >
              <Icon name="chevron" />
              <span>
                {title === '' ? words('loreEntryTitle', { number }) : <UserText text={title} />}{' '}
                <ActivationNote view={view} />
              </span>
            </button>
          )}
          {view === null ? null : (
            <EntryAction icon="file" label={words('loreEntryDuplicate', { number })} act={duplicate} />
          )}
          <EntryAction icon="trash" label={words('loreEntryRemove', { number })} act={remove} />
        </div>
        <FieldErrorText id={id} wrong={wrong} />
        {open && view !== null ? <EntryFields place={place} view={view} order={order} /> : null}
      </li>
    );
  },
  // Entries are parsed on every render and are usually equal, so compare by value.
  (one, other) => dequal(one, other),
);

function EntryAction({ icon, label, act }: { icon: 'file' | 'trash'; label: string; act: () => void }) {
  return (
    <button type="button" className={ICON} aria-label={label} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}

/** A badge for entries that are not triggered by their keys: inactive or always active. */
function ActivationNote({ view }: { view: EntryView }) {
  const words = useTranslate('create');
  const why = getInactiveReason(view);
  if (why !== null) return <span className="badge">{words(`loreEntryState_${why}`)}</span>;
  return view.constant ? <span className="badge">{words('loreEntryStateAlwaysActive')}</span> : null;
}

type MarkName = 'on' | 'constant' | 'selective' | 'caseSensitive' | 'wholeWords';

/** In the order in which the form offers them. */
const LOGICS = ['any', 'all', 'notAny', 'notAll'] as const satisfies readonly EntryView['logic'][];

function EntryFields({ place, view, order }: { place: number; view: EntryView; order: unknown }) {
  const words = useTranslate('create');
  const id = getFieldId('lorebook', place);
  const change = (part: EntryChange) => lorebookStore.updateEntry(place, part);
  const mark = (label: string, checked: boolean, name: MarkName) => (
    <label className="chip">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => change({ [name]: target.checked })}
      />
      {label}
    </label>
  );
  return (
    <div className="lore-parts">
      <TextField
        id={getEntryNameId(place)}
        label={words('entryNameLabel')}
        optional
        value={view.name}
        limit={LORE_LIMITS.name}
        wrong={null}
        write={(name) => change({ name })}
      />
      <LoreKeysField
        id={`${id}-keys`}
        label={words('entryKeywordsLabel')}
        note={words('entryKeywordsNote')}
        keys={view.keys}
        write={(keys) => change({ keys })}
      />
      {view.unusablePattern === null ? null : (
        <p role="status" className="form-note">
          <UserText text={words('entryPatternInvalid', { pattern: view.unusablePattern })} />
        </p>
      )}
      <TextField
        id={`${id}-text`}
        label={words('entryTextLabel')}
        note={words('entryTextNote')}
        optional
        quietly
        rows={4}
        value={view.content}
        limit={LORE_LIMITS.text}
        wrong={null}
        write={(content) => change({ content })}
      />
      <div className="tag-choices">
        {mark(words('entryEnabled'), view.on, 'on')}
        {mark(words('entryAlwaysActive'), view.constant, 'constant')}
        {mark(words('entryMatchCase'), view.caseSensitive, 'caseSensitive')}
        {mark(words('entryWholeWords'), view.wholeWords, 'wholeWords')}
        {mark(words('entryCheckSecondary'), view.selective, 'selective')}
      </div>
      {view.selective || view.secondary.length > 0 ? (
        <>
          <LoreKeysField
            id={`${id}-second`}
            label={words('entrySecondaryLabel')}
            note={words('entrySecondaryNote')}
            keys={view.secondary}
            write={(secondary) => change({ secondary })}
          />
          <div className="form-field">
            <label htmlFor={`${id}-logic`} className="form-label">
              {words('entryLogicLabel')}
            </label>
            <select
              id={`${id}-logic`}
              className={FIELD}
              value={view.logic}
              onChange={({ target }) =>
                change({ logic: LOGICS.find((logic) => logic === target.value) ?? 'any' })
              }
            >
              {LOGICS.map((logic) => (
                <option key={logic} value={logic}>
                  {words(`entryLogic_${logic}`)}
                </option>
              ))}
            </select>
          </div>
        </>
      ) : null}
      <NumberField
        id={`${id}-chance`}
        label={words('entryChanceLabel')}
        note={words('entryChanceNote')}
        stood={view.probability}
        taken={100}
        write={(chance) => chance !== null && change({ probability: Math.min(100, chance) })}
      />
      <NumberField
        id={`${id}-depth`}
        label={words('loreDepthLabel')}
        note={words('entryDepthNote')}
        stood={view.scanDepth ?? undefined}
        write={(scanDepth) => change({ scanDepth })}
      />
      <div className="form-field">
        <label htmlFor={`${id}-position`} className="form-label">
          {words('entryPositionLabel')}
        </label>
        <p id={`${id}-position-note`} className="form-note">
          {words('entryPositionNote')}
        </p>
        <select
          id={`${id}-position`}
          aria-describedby={`${id}-position-note`}
          className={FIELD}
          value={view.position}
          onChange={({ target }) => change({ position: target.value === 'before' ? 'before' : 'after' })}
        >
          <option value="before">{words('entryPositionBefore')}</option>
          <option value="after">{words('entryPositionAfter')}</option>
        </select>
      </div>
      <NumberField
        id={`${id}-order`}
        label={words('entryOrderLabel')}
        note={words('entryOrderNote')}
        stood={order}
        taken={view.order}
        negative
        write={(number) => number !== null && change({ order: number })}
      />
    </div>
  );
}

/** Keys, one per line. The typed text stays as long as it parses to the same keys. */
function LoreKeysField({
  keys,
  write,
  ...rest
}: {
  id: string;
  label: string;
  note: string;
  keys: string[];
  write: (keys: string[]) => void;
}) {
  const [text, setText] = useState('');
  const shown = dequal(splitNonEmptyLines(text), keys) ? text : keys.join('\n');
  return (
    <TextField
      {...rest}
      optional
      quietly
      rows={2}
      value={shown}
      wrong={null}
      write={(written) => {
        setText(written);
        write(splitNonEmptyLines(written));
      }}
    />
  );
}
