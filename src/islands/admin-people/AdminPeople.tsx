import { useEffect, useId, useRef, useState } from 'react';
import type { FoundPeople, FoundPerson } from '../../features/moderation/people-contract.ts';
import { formatDate } from '../../locales/format.ts';
import { AdminHeader, AdminLayout, type AdminLayoutProps } from '../admin/AdminLayout.tsx';
import type { Failure } from '../shared/api.ts';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { FIELD, PRIMARY } from '../shared/styles.ts';
import { FeaturedList } from './FeaturedList.tsx';
import { peopleApi } from './people-api.ts';
import { PersonAccount } from './PersonAccount.tsx';
import '../admin/admin-layout.css';

/** Address parameter with the query, so that other admin pages can link to a person. */
const QUERY_PARAM = 'q';

/** The admin page that finds people and features characters. */
export function AdminPeople(room: AdminLayoutProps<'adminReports' | 'account' | 'errors'>) {
  return (
    <AdminLayout {...room}>
      <PeopleView />
    </AdminLayout>
  );
}

function PeopleView() {
  const words = useTranslate('admin');
  return (
    <div className="own">
      <AdminHeader
        here="people"
        heading={words('people')}
        about={words('peopleIntro')}
        offline={words('offline')}
      />
      <div className="min-w-0">
        <PeopleSearch />
        <FeaturedList />
      </div>
    </div>
  );
}

type SearchState =
  | { status: 'idle' | 'searching' }
  | { status: 'found'; found: FoundPeople }
  | { status: 'failed'; failure: Failure };

function PeopleSearch() {
  const words = useTranslate('admin');
  const errors = useTranslate('errors');
  const lang = useLang();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(0);
  const [search, setSearch] = useState<SearchState>({ status: 'idle' });
  const find = async (query: string) => {
    if (query.trim() === '') return input.current?.focus();
    const call = ++latest.current;
    setSearch({ status: 'searching' });
    const answer = await peopleApi.find(query.trim());
    if (call !== latest.current) return;
    setSearch(answer.ok ? { status: 'found', found: answer.data } : { status: 'failed', failure: answer });
  };
  useEffect(() => {
    const query = new URLSearchParams(location.search).get(QUERY_PARAM) ?? '';
    if (query === '' || input.current === null) return;
    input.current.value = query;
    void find(query);
  }, []);
  return (
    <section className="flex flex-col gap-4 pb-9">
      <form
        role="search"
        noValidate
        className="flex flex-col gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          void find(input.current?.value ?? '');
        }}
      >
        <label htmlFor={id}>{words('peopleSearchLabel')}</label>
        <div className="flex flex-wrap gap-3">
          <input
            ref={input}
            id={id}
            type="search"
            maxLength={254}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            dir="auto"
            className={`${FIELD} min-w-0 flex-[1_1_16rem]`}
          />
          <button type="submit" className={PRIMARY} aria-busy={search.status === 'searching'}>
            {words('peopleSearch')}
          </button>
        </div>
      </form>
      {search.status === 'failed' ? (
        <p role="alert" className="text-danger">
          {formatFailure(search.failure, errors, lang)}
        </p>
      ) : null}
      {search.status === 'found' ? <FoundList found={search.found} /> : null}
    </section>
  );
}

function FoundList({ found: { items, more } }: { found: FoundPeople }) {
  const words = useTranslate('admin');
  const [openId, setOpenId] = useState<string | null>(null);
  if (items.length === 0) return <p role="status">{words('peopleNotFound')}</p>;
  return (
    <>
      <ul aria-label={words('people')} className="rows">
        {items.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            isOpen={person.id === openId}
            toggle={() => setOpenId(person.id === openId ? null : person.id)}
          />
        ))}
      </ul>
      {more ? (
        <p role="status" className="text-text-quiet">
          {words('peopleMoreNote')}
        </p>
      ) : null}
    </>
  );
}

/** A found person; the open one also shows their account. */
function PersonRow({
  person: { id: userId, name, is_anonymous: isGuest, suspended_at: suspendedAt, created_at: since },
  isOpen,
  toggle,
}: {
  person: FoundPerson;
  isOpen: boolean;
  toggle: () => void;
}) {
  const words = useTranslate('admin');
  const caseWords = useTranslate('adminReports');
  const lang = useLang();
  const id = useId();
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className="flex min-h-11 w-full flex-wrap items-baseline gap-x-3 gap-y-1 text-start"
        onClick={toggle}
      >
        <span translate="no" className="min-w-0 font-medium [overflow-wrap:anywhere]">
          {name}
        </span>
        {isGuest ? <span className="badge">{words('peopleGuest')}</span> : null}
        {suspendedAt === null ? null : <span className="badge">{caseWords('suspendedBadge')}</span>}
        <span className="ms-auto text-sm text-text-quiet">
          {formatDate(since, lang, { length: 'short' })}
        </span>
      </button>
      {isOpen ? (
        <div id={id} className="flex flex-col gap-5 border-s-2 border-line py-3 ps-4">
          <PersonAccount userId={userId} />
        </div>
      ) : null}
    </li>
  );
}
