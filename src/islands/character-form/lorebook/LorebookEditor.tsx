import { useStore } from '@nanostores/react';
import { CARD } from '../../../features/character/limits.ts';
import { isFields, SCAN_DEPTH, textOf } from '../../../features/character/lorebook/lorebook.ts';
import { entryView } from '../../../features/character/lorebook/lorebook-edit.ts';
import { type Book, bookBytes, LORE_LIMITS } from '../../../features/character/lorebook/lorebook-rules.ts';
import { useWords } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { FIELD, SECONDARY } from '../../shared/styles.ts';
import { fieldId } from '../fields/field-places.ts';
import { fitsDevice } from '../form-rules.ts';
import { lore } from './lore.ts';
import { SEARCHED_FROM, shownEntries } from './lore-state.ts';
import { entryNameId, LoreEntry } from './LoreEntry.tsx';
import { NumberField } from '../fields/NumberField.tsx';
import { TextField, Wrong } from '../fields/TextField.tsx';
import { useForm, useTroubles } from '../use-field-errors.ts';

const KB = 1024;

/** The lorebook: its entries, a page at a time, and how it is told. */
export function LorebookEditor() {
  const words = useWords('create');
  const { lorebook: book } = useForm().fields;
  const entries = book?.entries ?? [];
  const id = fieldId('lorebook');
  const whole = useTroubles('lorebook').find(({ index }) => index === undefined);
  const bytes = book === null ? 0 : bookBytes(book);
  const over = bytes > CARD.lorebook.maxBytes;
  return (
    <fieldset className="form-field lorebook" aria-describedby={`${id}-note ${id}-wrong`}>
      <legend>
        {words('lorebookLabel')} <span className="quiet">{words('optional')}</span>
      </legend>
      <p id={`${id}-note`} className="form-note">
        {words('lorebookNote')}
      </p>
      <Wrong id={id} wrong={whole?.said ?? null} />
      {book === null || entries.length === 0 ? null : (
        <>
          <p className={`form-count ${over ? 'text-harm' : 'text-text-quiet'}`}>
            {words('loreRoom', {
              number: entries.length,
              used: Math.ceil(bytes / KB),
              limit: CARD.lorebook.maxBytes / KB,
            })}
          </p>
          {fitsDevice(book) ? null : <p className="form-line">{words('loreDevice')}</p>}
          <Settings book={book} />
          <Entries book={book} />
        </>
      )}
      {entries.length < CARD.lorebook.maxEntries ? (
        <button
          type="button"
          id={id}
          className={SECONDARY}
          onClick={() => {
            const place = lore.add();
            if (place !== null) lore.see({ wanted: entryNameId(place) });
          }}
        >
          <Icon name="create" />
          {words('loreAdd')}
        </button>
      ) : null}
    </fieldset>
  );
}

/** What the book says of itself as a whole. */
function Settings({ book }: { book: Book }) {
  const words = useWords('create');
  const id = fieldId('lorebook');
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
          value={textOf(book['name'])}
          limit={LORE_LIMITS.name}
          wrong={null}
          write={(name) => lore.put('name', name)}
        />
        <NumberField
          id={`${id}-depth`}
          label={words('loreDepthLabel')}
          note={words('loreDepthNote', { number: SCAN_DEPTH })}
          stood={book['scan_depth']}
          write={(depth) => lore.put('scan_depth', depth ?? undefined)}
        />
        <NumberField
          id={`${id}-budget`}
          label={words('loreBudgetLabel')}
          note={words('loreBudgetNote')}
          stood={book['token_budget']}
          write={(budget) => lore.put('token_budget', budget ?? undefined)}
        />
        <div className="tag-choices">
          <label className="chip">
            <input
              type="checkbox"
              checked={book['recursive_scanning'] === true}
              onChange={({ target }) => lore.put('recursive_scanning', target.checked)}
            />
            {words('loreRecursive')}
          </label>
        </div>
      </div>
    </details>
  );
}

const orderOf = (entry: unknown) => (isFields(entry) ? entry['insertion_order'] : undefined);

function Entries({ book }: { book: Book }) {
  const words = useWords('create');
  const view = useStore(lore.$view, { ssr: 'initial' });
  const { query, entry: open } = view;
  const troubles = useTroubles('lorebook');
  const id = fieldId('lorebook');
  const { places, found, page, pages } = shownEntries(book, view);
  const searched = book.entries.length >= SEARCHED_FROM || query !== '';
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
            onChange={({ target }) => lore.search(target.value)}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <p role="status" className="form-note">
            {query.trim() === ''
              ? null
              : found === 0
                ? words('loreNone')
                : words('loreFound', { number: found })}
          </p>
        </div>
      ) : null}
      <ol className="lore-entries" aria-label={words('loreEntries')}>
        {places.map((place) => (
          <LoreEntry
            key={place}
            place={place}
            view={entryView(book.entries[place])}
            order={orderOf(book.entries[place])}
            open={open === place}
            wrong={troubles.find(({ index }) => index === place)?.said ?? null}
          />
        ))}
      </ol>
      {pages > 1 ? (
        <nav className="lore-pages" aria-label={words('lorePages')}>
          <button
            type="button"
            className={SECONDARY}
            disabled={page === 0}
            onClick={() => lore.see({ page: page - 1, entry: null })}
          >
            {words('lorePrevious')}
          </button>
          <span role="status">{words('lorePage', { page: page + 1, pages })}</span>
          <button
            type="button"
            className={SECONDARY}
            disabled={page >= pages - 1}
            onClick={() => lore.see({ page: page + 1, entry: null })}
          >
            {words('loreNext')}
          </button>
        </nav>
      ) : null}
    </>
  );
}
