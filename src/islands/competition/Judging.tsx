import { useStore } from '@nanostores/react';
import { useEffect, useId, useState } from 'react';
import type { Judging as JudgingAnswer } from '../../features/competition/contract.ts';
import { formatDate } from '../../locales/format.ts';
import { AdminHead, AdminRoom, type AdminRoomProps } from '../admin/AdminLayout.tsx';
import { failureSentence } from '../shared/errors.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { FIELD, LINK, SECONDARY } from '../shared/styles.ts';
import { competition, type JudgedEntry } from './competition-state.ts';
import { EntryList, EntryPicture } from './EntryList.tsx';
import '../admin/admin-layout.css';

/** The judges' page, for the operator's own people; for everybody else there is nothing here. */
export function Judging(room: AdminRoomProps<'competition' | 'errors'>) {
  return (
    <AdminRoom {...room}>
      <JudgingView />
    </AdminRoom>
  );
}

/** The season that the page is asked for; undefined: the one that is to be judged. */
function seasonInAddress(): number | undefined {
  const season = new URLSearchParams(location.search).get('season') ?? '';
  return /^[1-9]\d{0,3}$/.test(season) ? Number(season) : undefined;
}

function JudgingView() {
  const list = useStore(competition.judging.$list, { ssr: 'initial' });
  const words = useWords('competition');
  const [told, setTold] = useState('');
  useEffect(() => {
    void competition.judge(seasonInAddress());
  }, []);
  const open = list.page?.season.status !== 'decided';
  return (
    <div className="own">
      <AdminHead
        here="competition"
        heading={words('judging')}
        about={words('judgingAbout')}
        offline={words('ownOffline')}
      >
        {list.page === null ? null : (
          <p className="text-text-quiet">{words('season', { number: String(list.page.season.number) })}</p>
        )}
      </AdminHead>
      <EntryList
        entries={competition.judging}
        failed={words('judgingFailed')}
        loading={words('judgingLoading')}
        empty={<p>{words('judgingEmpty')}</p>}
        told={told}
        renderEntry={(entry) => <Entry key={entry.character_id} entry={entry} open={open} tell={setTold} />}
      />
      {list.page !== null && list.page.prizes.length > 0 ? (
        <Prizes season={list.page.season.number} prizes={list.page.prizes} tell={setTold} />
      ) : null}
      {list.page !== null && list.page.seasons.length > 1 ? (
        <nav aria-labelledby="judging-seasons">
          <h2 id="judging-seasons">{words('seasons')}</h2>
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

function Entry({ entry, open, tell }: { entry: JudgedEntry; open: boolean; tell: (what: string) => void }) {
  const { character_id: id, name } = entry;
  const words = useWords('competition');
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
        <p className="text-sm text-text-quiet">{words('by', { name: entry.creator_name })}</p>
        <p className="text-sm text-text-quiet">{words('judgingMarks', { count: entry.marks })}</p>
      </div>
      {entry.is_own ? (
        <p className="text-text-quiet">{words('judgingOwn')}</p>
      ) : (
        <Mark key={entry.mark} entry={entry} open={open} tell={tell} />
      )}
    </li>
  );
}

/** A whole number from 0 to 100, or null for anything else that was typed. */
const markOf = (typed: string): number | null => {
  const mark = /^\s*\d{1,3}\s*$/.test(typed) ? Number(typed) : Number.NaN;
  return mark <= 100 ? mark : null;
};

function Mark({ entry, open, tell }: { entry: JudgedEntry; open: boolean; tell: (what: string) => void }) {
  const { character_id: id, name } = entry;
  const words = useWords('competition');
  const errors = useWords('errors');
  const lang = useLang();
  const [typed, setTyped] = useState(entry.mark === null ? '' : String(entry.mark));
  const [isWrong, setWrong] = useState(false);
  const busy = useStore(competition.$busy, { ssr: 'initial' }).has(id);
  const troubleId = useId();
  const save = async () => {
    const mark = markOf(typed);
    setWrong(mark === null);
    if (mark === null) return;
    const failure = await competition.mark(id, mark);
    tell(failure === null ? words('judgingSaved', { mark, name }) : failureSentence(failure, errors, lang));
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
        {words('judgingMark')}
        <input
          className={`${FIELD} w-20 tabular-nums`}
          inputMode="numeric"
          maxLength={3}
          value={typed}
          aria-label={words('judgingMarkOf', { name })}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? troubleId : undefined}
          disabled={!open}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <button
        type="submit"
        className={SECONDARY}
        aria-label={words('judgingSaveOf', { name })}
        aria-busy={busy}
        disabled={busy || !open}
      >
        {words('judgingSave')}
      </button>
      <p id={troubleId} role="alert" className="basis-full text-sm text-harm empty:hidden">
        {isWrong ? words('judgingWrong') : null}
      </p>
    </form>
  );
}

function Prizes({
  season,
  prizes,
  tell,
}: {
  season: number;
  prizes: JudgingAnswer['prizes'];
  tell: (what: string) => void;
}) {
  const words = useWords('competition');
  const errors = useWords('errors');
  const lang = useLang();
  const busy = useStore(competition.$busy, { ssr: 'initial' });
  const give = async (prize: string, place: number) => {
    const failure = await competition.give({ season, prize, place });
    if (failure !== null) tell(failureSentence(failure, errors, lang));
  };
  return (
    <section aria-labelledby="judging-prizes">
      <h2 id="judging-prizes">{words('prizes')}</h2>
      <ul className="mt-3 border-b border-line">
        {prizes.map(({ prize, place, character_name: character, given_at: given }) => {
          const name = prize === 'gift_card' ? words('giftCard') : words('prize_storyteller_month');
          return (
            <li
              key={`${prize} ${place}`}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-3"
            >
              <p className="min-w-0 flex-1 basis-48 break-words">
                {words('givePlace', { prize: name, place })}
                <span dir="auto" className="block text-text-quiet">
                  {character === '' ? words('winnerGone') : character}
                </span>
              </p>
              {given === null ? (
                <button
                  type="button"
                  className={SECONDARY}
                  aria-label={words('giveOf', { prize: name, place })}
                  disabled={busy.has(`${prize} ${place}`)}
                  onClick={() => void give(prize, place)}
                >
                  {words('give')}
                </button>
              ) : (
                <p className="text-text-quiet">{words('given', { date: formatDate(given, lang) })}</p>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
