import { useStore } from '@nanostores/react';
import { CARD } from '../../../features/character/limits.ts';
import { isLoreFields, DEFAULT_SCAN_DEPTH, toText } from '../../../features/character/lorebook/lorebook.ts';
import { toEntryView } from '../../../features/character/lorebook/lorebook-edit.ts';
import {
  type EditableLorebook,
  countBookBytes,
  LORE_LIMITS,
} from '../../../features/character/lorebook/lorebook-rules.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { FIELD, SECONDARY } from '../../shared/styles.ts';
import { getFieldId } from '../fields/field-focus.ts';
import { fitsDeviceStorage } from '../form-rules.ts';
import { lorebookStore } from './lorebook-store.ts';
import { MIN_SEARCHABLE_ENTRIES, getVisibleEntries } from './lorebook-state.ts';
import { ImportLorebook } from './ImportLorebook.tsx';
import { getEntryNameId, LoreEntry } from './LoreEntry.tsx';
import { NumberField } from '../fields/NumberField.tsx';
import { TextField, FieldErrorText } from '../fields/TextField.tsx';
import { useCharacterForm, useFieldErrors } from '../use-field-errors.ts';

const BYTES_PER_KB = 1024;

/** The lorebook editor: paginated entries and the book's settings. */
export function LorebookEditor() {
  const words = useTranslate('create');
  const { lorebook: book, visibility } = useCharacterForm().fields;
  const entries = book?.entries ?? [];
  const id = getFieldId('lorebook');
  const isComplete = useFieldErrors('lorebook').find(({ index }) => index === undefined);
  const bytes = book === null ? 0 : countBookBytes(book);
  const over = bytes > CARD.lorebook.maxBytes;
  return (
    <fieldset className="form-field lorebook" aria-describedby={`${id}-note ${id}-wrong`}>
      <legend>
        {words('lorebookLabel')} <span className="quiet">{words('optionalBadge')}</span>
      </legend>
      <p id={`${id}-note`} className="form-note">
        {words('lorebookNote')}{' '}
        {words(visibility === 'private' ? 'lorebookDownload_own' : 'lorebookDownload_card')}
      </p>
      <FieldErrorText id={id} wrong={isComplete?.said ?? null} />
      {book === null || entries.length === 0 ? null : (
        <>
          <p className={`form-count ${over ? 'text-danger' : 'text-text-quiet'}`}>
            {words('loreSize', {
              number: entries.length,
              used: Math.ceil(bytes / BYTES_PER_KB),
              limit: CARD.lorebook.maxBytes / BYTES_PER_KB,
            })}
          </p>
          {fitsDeviceStorage(book) ? null : <p className="form-line">{words('loreTooLargeForDevice')}</p>}
          <LorebookSettings book={book} />
          <LorebookEntries book={book} />
        </>
      )}
      {entries.length < CARD.lorebook.maxEntries ? (
        <button
          type="button"
          id={id}
          className={SECONDARY}
          onClick={() => {
            const place = lorebookStore.addEntry();
            if (place !== null) lorebookStore.updateView({ wanted: getEntryNameId(place) });
          }}
        >
          <Icon name="create" />
          {words('loreEntryAdd')}
        </button>
      ) : null}
      <ImportLorebook />
    </fieldset>
  );
}

/** The settings of the whole book. */
function LorebookSettings({ book }: { book: EditableLorebook }) {
  const words = useTranslate('create');
  const id = getFieldId('lorebook');
  return (
    <details className="lore-settings">
      <summary>
        {words('loreSettings')}
        <Icon name="chevron" />
      </summary>
      <div className="lore-parts">
        <TextField
          id={`${id}-name`}
          label={words('loreNameLabel')}
          optional
          quietly
          value={toText(book['name'])}
          limit={LORE_LIMITS.name}
          wrong={null}
          write={(name) => lorebookStore.updateLorebook('name', name)}
        />
        <NumberField
          id={`${id}-depth`}
          label={words('loreDepthLabel')}
          note={words('loreDepthNote', { number: DEFAULT_SCAN_DEPTH })}
          stood={book['scan_depth']}
          write={(depth) => lorebookStore.updateLorebook('scan_depth', depth ?? undefined)}
        />
        <NumberField
          id={`${id}-budget`}
          label={words('loreBudgetLabel')}
          note={words('loreBudgetNote')}
          stood={book['token_budget']}
          write={(budget) => lorebookStore.updateLorebook('token_budget', budget ?? undefined)}
        />
        <div className="tag-choices">
          <label className="chip">
            <input
              type="checkbox"
              checked={book['recursive_scanning'] === true}
              onChange={({ target }) => lorebookStore.updateLorebook('recursive_scanning', target.checked)}
            />
            {words('loreRecursive')}
          </label>
        </div>
      </div>
    </details>
  );
}

const getInsertionOrder = (entry: unknown) => (isLoreFields(entry) ? entry['insertion_order'] : undefined);

function LorebookEntries({ book }: { book: EditableLorebook }) {
  const words = useTranslate('create');
  const view = useStore(lorebookStore.$view, { ssr: 'initial' });
  const { query, entry: open } = view;
  const troubles = useFieldErrors('lorebook');
  const id = getFieldId('lorebook');
  const { places, found, page, pages } = getVisibleEntries(book, view);
  const searched = book.entries.length >= MIN_SEARCHABLE_ENTRIES || query !== '';
  return (
    <>
      {searched ? (
        <div className="form-field">
          <label htmlFor={`${id}-search`}>{words('loreSearch')}</label>
          <input
            id={`${id}-search`}
            type="search"
            autoComplete="off"
            className={FIELD}
            value={query}
            onChange={({ target }) => lorebookStore.search(target.value)}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <p role="status" className="form-note">
            {query.trim() === ''
              ? null
              : found === 0
                ? words('loreEntriesNotFound')
                : words('loreEntriesFound', { number: found })}
          </p>
        </div>
      ) : null}
      <ol className="lore-entries" aria-label={words('loreEntries')}>
        {places.map((place) => (
          <LoreEntry
            key={place}
            place={place}
            view={toEntryView(book.entries[place])}
            order={getInsertionOrder(book.entries[place])}
            open={open === place}
            wrong={troubles.find(({ index }) => index === place)?.said ?? null}
          />
        ))}
      </ol>
      {pages > 1 ? (
        <nav className="lore-pages" aria-label={words('lorePagesLabel')}>
          <button
            type="button"
            className={SECONDARY}
            disabled={page === 0}
            onClick={() => lorebookStore.updateView({ page: page - 1, entry: null })}
          >
            {words('lorePreviousPage')}
          </button>
          <span role="status">{words('lorePagePosition', { page: page + 1, pages })}</span>
          <button
            type="button"
            className={SECONDARY}
            disabled={page >= pages - 1}
            onClick={() => lorebookStore.updateView({ page: page + 1, entry: null })}
          >
            {words('loreNextPage')}
          </button>
        </nav>
      ) : null}
    </>
  );
}
