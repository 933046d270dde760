import { useId, useState } from 'react';
import type { MeasureKind } from '../../features/moderation/moderation-action-contract.ts';
import type { ReportCase, ReportStatus } from '../../features/moderation/report-contract.ts';
import { useWords } from '../shared/i18n.tsx';
import { FIELD, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { adminQueues } from './admin-reports-state.ts';
import { Person } from './AccountView.tsx';
import { CharacterView } from './CharacterView.tsx';
import { History, LIMITS, Measures, Part, StaffText, useDoing, useText, Written } from './case-parts.tsx';

/** A report with what it is about, and what can be done about it. */
export function ReportView({ report, busy }: { report: ReportCase; busy: boolean }) {
  const words = useWords('adminReports');
  const { details, excerpt, reporter, owner, character } = report;
  return (
    <>
      <Part title={words('details')}>
        {details === '' ? (
          <p className="text-text-quiet">{words('nothingWritten')}</p>
        ) : (
          <Written text={details} />
        )}
        {reporter === null ? null : <Person person={reporter} as="reporter" busy={busy} />}
      </Part>
      {excerpt === '' ? null : (
        <Part title={words('excerpt')}>
          <Written text={excerpt} />
        </Part>
      )}
      {character === null ? null : <CharacterView character={character} />}
      {/* Whoever reported what they made themselves has one account. */}
      {owner === null ? null : owner.id === reporter?.id ? (
        <p>{words('maker', { name: owner.name })}</p>
      ) : (
        <Person person={owner} as="maker" busy={busy} />
      )}
      <Act report={report} busy={busy} />
      <Measures measures={report.measures} busy={busy} />
      <Decide key={report.status} report={report} busy={busy} />
      <History steps={report.history} />
    </>
  );
}

type Deed = { act: MeasureKind | 'account_name' | 'account_picture'; kind: MeasureKind; subjectId: string };

/** What can be done against what a report is about. */
function deedsOf({ character, owner }: ReportCase): Deed[] {
  const { id } = character ?? {};
  const ofCharacter =
    id === undefined
      ? []
      : (['character_hidden', 'character_removed', 'picture_removed', 'name_cleared'] as const).map(
          (kind): Deed => ({ act: kind, kind, subjectId: id }),
        );
  if (owner === null) return ofCharacter;
  return [
    ...ofCharacter,
    { act: 'account_name', kind: 'name_cleared', subjectId: owner.id },
    { act: 'account_picture', kind: 'picture_removed', subjectId: owner.id },
    { act: 'account_suspended', kind: 'account_suspended', subjectId: owner.id },
  ];
}

function Act({ report, busy }: { report: ReportCase; busy: boolean }) {
  const words = useWords('adminReports');
  const doing = useDoing();
  const id = useId();
  const deeds = deedsOf(report);
  const [chosen, setChosen] = useState<string>(deeds[0]?.act ?? '');
  const [tried, setTried] = useState(false);
  const reason = useText(LIMITS.reason);
  const deed = deeds.find(({ act }) => act === chosen);
  if (deed === undefined) return null;
  const act = async () => {
    setTried(true);
    if (reason.given === undefined || reason.over) return;
    const measure = { kind: deed.kind, subject_id: deed.subjectId, reason: reason.given };
    if (!(await doing(adminQueues.take(measure), words('done')))) return;
    reason.clear();
    setTried(false);
  };
  return (
    <Part title={words('act')}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <div className="flex flex-col gap-1">
          <label htmlFor={id}>{words('actWhat')}</label>
          <select
            id={id}
            className={`${FIELD} max-w-[var(--measure)]`}
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          >
            {deeds.map(({ act: option }) => (
              <option key={option} value={option}>
                {words(`act_${option}`)}
              </option>
            ))}
          </select>
        </div>
        <StaffText
          label={words('reason')}
          limit={LIMITS.reason}
          value={reason.value}
          wrong={tried && reason.given === undefined ? words('reasonMissing') : null}
          write={reason.write}
        />
        <button type="submit" className={`${SECONDARY} button-harm self-start`} disabled={busy}>
          {words('do')}
        </button>
      </form>
    </Part>
  );
}

function Decide({ report, busy }: { report: ReportCase; busy: boolean }) {
  const words = useWords('adminReports');
  const doing = useDoing();
  const answer = useText(LIMITS.answer);
  const note = useText(LIMITS.note);
  const decide = (status: ReportStatus) => {
    if (answer.over || note.over) return;
    const decision = {
      status,
      ...(answer.given === undefined ? {} : { answer: answer.given }),
      ...(note.given === undefined ? {} : { note: note.given }),
    };
    void doing(adminQueues.decideReport(decision), words('decided'));
  };
  return (
    <Part title={words('decide')}>
      {report.answer === null ? null : <Written text={report.answer} />}
      <StaffText
        label={words('answerOptional')}
        limit={LIMITS.answer}
        value={answer.value}
        write={answer.write}
      />
      <StaffText label={words('note')} limit={LIMITS.note} value={note.value} write={note.write} />
      <div className="flex flex-wrap gap-3">
        {report.status === 'upheld' ? null : (
          <button type="button" className={PRIMARY} disabled={busy} onClick={() => decide('upheld')}>
            {words('uphold')}
          </button>
        )}
        {report.status === 'dismissed' ? null : (
          <button type="button" className={SECONDARY} disabled={busy} onClick={() => decide('dismissed')}>
            {words('dismiss')}
          </button>
        )}
        {report.status === 'open' ? null : (
          <button type="button" className={SECONDARY} disabled={busy} onClick={() => decide('open')}>
            {words('reopen')}
          </button>
        )}
      </div>
    </Part>
  );
}
