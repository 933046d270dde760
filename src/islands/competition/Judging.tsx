import { useStore } from '@nanostores/react';
import { useEffect, useId, useState } from 'react';
import type { Judging as JudgingAnswer } from '../../features/competition/contract.ts';
import { formatDate } from '../../locales/format.ts';
import { AdminHeader, AdminLayout, type AdminLayoutProps } from '../admin/AdminLayout.tsx';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { FIELD, LINK, SECONDARY } from '../shared/styles.ts';
import { competitionStore, type JudgedEntry } from './competition-state.ts';
import { EntryList, EntryPicture } from './EntryList.tsx';
import '../admin/admin-layout.css';

/** The judging page, for administrators only. */
export function Judging(room: AdminLayoutProps<'competition' | 'errors'>) {
  return (
    <AdminLayout {...room}>
      <JudgingView />
    </AdminLayout>
  );
}

/** Season number from the address; undefined selects the season to be judged. */
function getSeasonFromUrl(): number | undefined {
  const season = new URLSearchParams(location.search).get('season') ?? '';
  return /^[1-9]\d{0,3}$/.test(season) ? Number(season) : undefined;
}

function JudgingView() {
  const list = useStore(competitionStore.judging.$list, { ssr: 'initial' });
  const words = useTranslate('competition');
  const [status, setStatus] = useState('');
  useEffect(() => {
    void competitionStore.loadJudging(getSeasonFromUrl());
  }, []);
  const open = list.page?.season.status !== 'decided';
  return (
    <div className="own">
      <AdminHeader
        here="competition"
        heading={words('judgingTitle')}
        about={words('judgingIntro')}
        offline={words('entriesOffline')}
      >
        {list.page === null ? null : (
          <p className="text-text-quiet">{words('season', { number: String(list.page.season.number) })}</p>
        )}
      </AdminHeader>
      <EntryList
        entries={competitionStore.judging}
        failed={words('judgingLoadFailed')}
        loading={words('judgingLoading')}
        empty={<p>{words('judgingEmpty')}</p>}
        statusText={status}
        renderEntry={(entry) => (
          <JudgedEntryRow key={entry.character_id} entry={entry} open={open} announce={setStatus} />
        )}
      />
      {list.page !== null && list.page.prizes.length > 0 ? (
        <PrizeForm season={list.page.season.number} prizes={list.page.prizes} announce={setStatus} />
      ) : null}
      {list.page !== null && list.page.seasons.length > 1 ? (
        <nav aria-labelledby="judging-seasons">
          <h2 id="judging-seasons">{words('seasonsTitle')}</h2>
          <ul className="mt-3 flex flex-wrap gap-2">
            {list.page.seasons.map((number) => (
              <li key={number}>
                <a
                  className="chip"
                  href={`/admin-competition?season=${number}`}
                  aria-current={number === list.page?.season.number ? 'page' : undefined}
                >
                  {words('season', { number: String(number) })}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </div>
  );
}

function JudgedEntryRow({
  entry,
  open,
  announce,
}: {
  entry: JudgedEntry;
  open: boolean;
  announce: (what: string) => void;
}) {
  const { character_id: id, name } = entry;
  const words = useTranslate('competition');
  const lang = useLang();
  return (
    <li className="flex flex-wrap items-start gap-4 border-t border-line py-4">
      <EntryPicture src={entry.avatar_url} large />
      <div className="min-w-0 flex-1 basis-48">
        <a
          dir="auto"
          className={`${LINK} inline-flex min-h-11 items-center break-words font-serif`}
          href={`/${lang}/character-info/${encodeURIComponent(id)}`}
        >
          {name}
        </a>
        <p dir="auto" className="break-words">
          {entry.oneliner}
        </p>
        <p className="text-sm text-text-quiet">{words('byCreator', { name: entry.creator_name })}</p>
        <p className="text-sm text-text-quiet">{words('judgingRatingCount', { count: entry.marks })}</p>
      </div>
      {entry.is_own ? (
        <p className="text-text-quiet">{words('judgingOwnEntry')}</p>
      ) : (
        <ScoreField key={entry.mark} entry={entry} open={open} announce={announce} />
      )}
    </li>
  );
}

/** A whole number from 0 to 100; null for any other input. */
const parseScore = (scoreText: string): number | null => {
  const mark = /^\s*\d{1,3}\s*$/.test(scoreText) ? Number(scoreText) : Number.NaN;
  return mark <= 100 ? mark : null;
};

function ScoreField({
  entry,
  open,
  announce,
}: {
  entry: JudgedEntry;
  open: boolean;
  announce: (what: string) => void;
}) {
  const { character_id: id, name } = entry;
  const words = useTranslate('competition');
  const errors = useTranslate('errors');
  const lang = useLang();
  const [scoreText, setScoreText] = useState(entry.mark === null ? '' : String(entry.mark));
  const [isWrong, setWrong] = useState(false);
  const busy = useStore(competitionStore.$busy, { ssr: 'initial' }).has(id);
  const troubleId = useId();
  const save = async () => {
    const mark = parseScore(scoreText);
    setWrong(mark === null);
    if (mark === null) return;
    const failure = await competitionStore.scoreEntry(id, mark);
    announce(failure === null ? words('judgingSaved', { mark, name }) : formatFailure(failure, errors, lang));
  };
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label className="flex flex-col gap-1 text-sm">
        {words('judgingRatingLabel')}
        <input
          className={`${FIELD} w-20 tabular-nums`}
          inputMode="numeric"
          maxLength={3}
          value={scoreText}
          aria-label={words('judgingRatingNamed', { name })}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? troubleId : undefined}
          disabled={!open}
          onChange={(event) => setScoreText(event.target.value)}
        />
      </label>
      <button
        type="submit"
        className={SECONDARY}
        aria-label={words('judgingSaveNamed', { name })}
        aria-busy={busy}
        disabled={busy || !open}
      >
        {words('judgingSave')}
      </button>
      <p id={troubleId} role="alert" className="basis-full text-sm text-danger empty:hidden">
        {isWrong ? words('judgingRatingInvalid') : null}
      </p>
    </form>
  );
}

function PrizeForm({
  season,
  prizes,
  announce,
}: {
  season: number;
  prizes: JudgingAnswer['prizes'];
  announce: (what: string) => void;
}) {
  const words = useTranslate('competition');
  const errors = useTranslate('errors');
  const lang = useLang();
  const busy = useStore(competitionStore.$busy, { ssr: 'initial' });
  const give = async (prize: string, place: number) => {
    const failure = await competitionStore.awardPrize({ season, prize, place });
    if (failure !== null) announce(formatFailure(failure, errors, lang));
  };
  return (
    <section aria-labelledby="judging-prizes">
      <h2 id="judging-prizes">{words('prizesTitle')}</h2>
      <ul className="mt-3 border-b border-line">
        {prizes.map(({ prize, place, character_name: character, given_at: given }) => {
          const name = prize === 'gift_card' ? words('giftCard') : words('prize_storyteller_month');
          return (
            <li
              key={`${prize} ${place}`}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-3"
            >
              <p className="min-w-0 flex-1 basis-48 break-words">
                {words('prizeAndPlace', { prize: name, place })}
                <span dir="auto" className="block text-text-quiet">
                  {character === '' ? words('winnerUnavailable') : character}
                </span>
              </p>
              {given === null ? (
                <button
                  type="button"
                  className={SECONDARY}
                  aria-label={words('prizeMarkAwardedNamed', { prize: name, place })}
                  disabled={busy.has(`${prize} ${place}`)}
                  onClick={() => void give(prize, place)}
                >
                  {words('prizeMarkAwarded')}
                </button>
              ) : (
                <p className="text-text-quiet">
                  {words('prizeAwardedOn', { date: formatDate(given, lang) })}
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
