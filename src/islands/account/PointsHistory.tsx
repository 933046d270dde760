import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { LedgerGroup } from '../../features/wallet/contract.ts';
import { TranslationProvider, type Dictionary, useLang, useTranslate } from '../shared/i18n.tsx';
import { useOnline } from '../shared/online.ts';
import type { PagedState } from '../shared/paged-list.ts';
import { $session } from '../shared/session-state.ts';
import { LINK } from '../shared/styles.ts';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { LoadError } from './components.tsx';
import { formatLedgerDay, LedgerGroupLine, LedgerRow } from './ledger-lines.tsx';
import { createGroupEntries, createPointsHistory } from './points-history.ts';
import '../admin/admin-layout.css';

/** All changes of a logged-in user's points, by day and conversation; the page asks everyone else to log in. */
export function PointsHistory({ lang, dictionary }: { lang: string; dictionary: Dictionary<'account'> }) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <HistoryView />
    </TranslationProvider>
  );
}

/** Splits groups, which come in the order of their days, by day. */
function splitByDay(groups: readonly LedgerGroup[]): { day: string; groups: LedgerGroup[] }[] {
  const days: { day: string; groups: LedgerGroup[] }[] = [];
  for (const group of groups) {
    const last = days.at(-1);
    if (last?.day === group.day) last.groups.push(group);
    else days.push({ day: group.day, groups: [group] });
  }
  return days;
}

function HistoryView() {
  const [history] = useState(createPointsHistory);
  const list = useStore(history.$list, { ssr: 'initial' });
  const user = useStore($session, { ssr: 'initial' }).auth?.user ?? null;
  const userId = user === null || user.is_anonymous ? null : user.id;
  const online = useOnline();
  const words = useTranslate('account');
  const lang = useLang();
  useEffect(() => {
    history.reset();
    if (userId !== null) void history.load();
  }, [history, userId]);
  useEffect(() => {
    const again = () => {
      if (history.$list.get().status === 'failed') void history.load();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [history]);
  if (list.page === null && list.status !== 'failed') {
    return (
      <p role="status" className="text-text-quiet">
        {words('sectionLoading')}
      </p>
    );
  }
  return (
    <>
      {online ? null : (
        <p role="status" className="mb-6 border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      {list.status === 'ready' && list.items.length === 0 ? (
        <p className="text-text-quiet">{words('pointsHistoryEmpty')}</p>
      ) : null}
      {splitByDay(list.items).map(({ day, groups }) => (
        <section key={day} aria-labelledby={`day-${day}`} className="pt-6">
          <h2 id={`day-${day}`} className="text-lg">
            <time dateTime={day}>{formatLedgerDay(day, lang, 'long')}</time>
          </h2>
          <ul className="rows mt-2">
            {groups.map((group) => (
              <Group key={group.id} group={group} />
            ))}
          </ul>
        </section>
      ))}
      <ListEnd list={list} load={() => void history.load()} showMore={() => void history.showMore()} />
    </>
  );
}

/** A group, which opens to its entries. */
function Group({ group }: { group: LedgerGroup }) {
  const words = useTranslate('account');
  const [isOpen, setIsOpen] = useState(false);
  const { conversation_id: conversationId, character_name: name } = group;
  return (
    <li>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="ledger-group">
          <LedgerGroupLine group={group} />
        </summary>
        {isOpen ? (
          <div className="ledger-entries">
            {conversationId === undefined || name === undefined ? null : (
              <a className={`${LINK} row-link`} href={`/messages/${encodeURIComponent(conversationId)}`}>
                {words('openChat')}
              </a>
            )}
            <Entries groupId={group.id} />
          </div>
        ) : null}
      </details>
    </li>
  );
}

function Entries({ groupId }: { groupId: string }) {
  const [entries] = useState(() => createGroupEntries(groupId));
  const list = useStore(entries.$list);
  const words = useTranslate('account');
  useEffect(() => entries.loadIfStale(), [entries]);
  return (
    <>
      {list.items.length === 0 && (list.status === 'idle' || list.status === 'loading') ? (
        <p role="status" className="text-text-quiet">
          {words('sectionLoading')}
        </p>
      ) : null}
      <ul className="rows">
        {list.items.map((entry) => (
          <LedgerRow key={entry.id} entry={entry} />
        ))}
      </ul>
      <ListEnd list={list} load={() => void entries.load()} showMore={() => void entries.showMore()} />
    </>
  );
}

/** The error of a list's first page, or the button for its next page. */
function ListEnd({
  list: { status, nextCursor, more, added },
  load,
  showMore,
}: {
  list: PagedState<unknown>;
  load: () => void;
  showMore: () => void;
}) {
  const words = useTranslate('account');
  const end = useRef<HTMLDivElement>(null);
  // The button is gone after the last page; keep the focus near it.
  useEffect(() => {
    if (added > 0 && nextCursor === null && document.activeElement === document.body) end.current?.focus();
  }, [added, nextCursor]);
  if (status === 'failed') return <LoadError again={load} />;
  return (
    <div ref={end} tabIndex={-1} className="outline-none">
      {nextCursor === null ? null : (
        <ShowMore
          more={more}
          label={words(more === 'loading' ? 'sectionLoading' : 'showMore')}
          failed={words('sectionLoadFailed')}
          show={showMore}
        />
      )}
    </div>
  );
}
