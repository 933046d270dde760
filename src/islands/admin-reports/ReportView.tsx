import { useId, useState } from 'react';
import type { ModerationActionKind } from '../../features/moderation/moderation-action-contract.ts';
import type { ReportCase, ReportStatus } from '../../features/moderation/report-contract.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { FIELD, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { ConfirmDialog } from '../shared/ui/ConfirmDialog.tsx';
import { adminQueues } from './admin-reports-state.ts';
import { CaseUserLink } from './AccountView.tsx';
import { CharacterView } from './CharacterView.tsx';
import {
  CaseHistory,
  STAFF_TEXT_LIMITS,
  ModerationActions,
  CaseSection,
  StaffTextField,
  useRunAction,
  useBoundedText,
  QuotedText,
} from './case-components.tsx';

/** A report with its subject, and the actions against it. */
export function ReportView({ report, busy }: { report: ReportCase; busy: boolean }) {
  const words = useTranslate('adminReports');
  const { details, excerpt, reporter, owner, character } = report;
  return (
    <>
      <CaseSection title={words('detailsTitle')}>
        {details === '' ? (
          <p className="text-text-quiet">{words('detailsEmpty')}</p>
        ) : (
          <QuotedText text={details} />
        )}
        {reporter === null ? null : <CaseUserLink person={reporter} as="reportedBy" busy={busy} />}
      </CaseSection>
      {excerpt === '' ? null : (
        <CaseSection title={words('reportedMessageTitle')}>
          <QuotedText text={excerpt} />
        </CaseSection>
      )}
      {character === null ? null : <CharacterView character={character} />}
      {/* A user who reported their own content is shown once. */}
      {owner === null ? null : owner.id === reporter?.id ? (
        <p>{words('createdBy', { name: owner.name })}</p>
      ) : (
        <CaseUserLink person={owner} as="createdBy" busy={busy} />
      )}
      <ModerationActionForm report={report} busy={busy} />
      <ModerationActions measures={report.measures} busy={busy} />
      <ReportDecisionForm key={report.status} report={report} busy={busy} />
      <CaseHistory steps={report.history} />
    </>
  );
}

type ActionOption = {
  act: ModerationActionKind | 'account_name' | 'account_picture';
  kind: ModerationActionKind;
  subjectId: string;
};

/** The moderation actions that apply to a report's subject. */
function getActionOptions({ character, owner }: ReportCase): ActionOption[] {
  const { id } = character ?? {};
  const ofCharacter =
    id === undefined
      ? []
      : (['character_hidden', 'character_removed', 'picture_removed', 'name_cleared'] as const).map(
          (kind): ActionOption => ({ act: kind, kind, subjectId: id }),
        );
  if (owner === null) return ofCharacter;
  return [
    ...ofCharacter,
    { act: 'account_name', kind: 'name_cleared', subjectId: owner.id },
    { act: 'account_picture', kind: 'picture_removed', subjectId: owner.id },
    { act: 'account_suspended', kind: 'account_suspended', subjectId: owner.id },
  ];
}

/** Chooses an action, which is confirmed by its name and its consequences. Nothing is chosen beforehand. */
function ModerationActionForm({ report, busy }: { report: ReportCase; busy: boolean }) {
  const words = useTranslate('adminReports');
  const doing = useRunAction();
  const id = useId();
  const actionOptions = getActionOptions(report);
  const [chosen, setChosen] = useState('');
  const [tried, setTried] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const reason = useBoundedText(STAFF_TEXT_LIMITS.reason);
  const selectedOption = actionOptions.find(({ act }) => act === chosen);
  if (actionOptions.length === 0) return null;
  const ask = () => {
    setTried(true);
    setIsConfirming(selectedOption !== undefined && reason.given !== undefined && !reason.over);
  };
  const act = async () => {
    setIsConfirming(false);
    if (selectedOption === undefined || reason.given === undefined) return;
    const measure = { kind: selectedOption.kind, subject_id: selectedOption.subjectId, reason: reason.given };
    if (!(await doing(adminQueues.applyAction(measure), words('actionDone')))) return;
    reason.clear();
    setChosen('');
    setTried(false);
  };
  const name = selectedOption === undefined ? words('actionTitle') : words(`action_${selectedOption.act}`);
  return (
    <CaseSection title={words('actionTitle')}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <div className="flex flex-col gap-1">
          <label htmlFor={id}>{words('actionLabel')}</label>
          <select
            id={id}
            className={`${FIELD} max-w-[var(--measure)]`}
            value={chosen}
            aria-invalid={tried && selectedOption === undefined}
            aria-describedby={`${id}-wrong`}
            onChange={(event) => setChosen(event.target.value)}
          >
            <option value="">{words('actionChoose')}</option>
            {actionOptions.map(({ act: option }) => (
              <option key={option} value={option}>
                {words(`action_${option}`)}
              </option>
            ))}
          </select>
          <p id={`${id}-wrong`} role="status" className="text-sm text-danger empty:hidden">
            {tried && selectedOption === undefined ? words('actionMissing') : null}
          </p>
        </div>
        <StaffTextField
          label={words('actionReasonLabel')}
          limit={STAFF_TEXT_LIMITS.reason}
          value={reason.value}
          wrong={tried && reason.given === undefined ? words('actionReasonMissing') : null}
          write={reason.write}
        />
        <button type="submit" className={`${SECONDARY} button-danger self-start`} disabled={busy}>
          {name}
        </button>
      </form>
      <ConfirmDialog
        open={isConfirming}
        title={name}
        text={selectedOption === undefined ? '' : words(`actionConfirm_${selectedOption.kind}`)}
        stay={words('cancel')}
        go={name}
        onStay={() => setIsConfirming(false)}
        onGo={() => void act()}
      />
    </CaseSection>
  );
}

function ReportDecisionForm({ report, busy }: { report: ReportCase; busy: boolean }) {
  const words = useTranslate('adminReports');
  const doing = useRunAction();
  const answer = useBoundedText(STAFF_TEXT_LIMITS.answer);
  const note = useBoundedText(STAFF_TEXT_LIMITS.note);
  const decide = (status: ReportStatus) => {
    if (answer.over || note.over) return;
    const decision = {
      status,
      ...(answer.given === undefined ? {} : { answer: answer.given }),
      ...(note.given === undefined ? {} : { note: note.given }),
    };
    void doing(adminQueues.decideReport(decision), words('decisionSaved'));
  };
  return (
    <CaseSection title={words('decisionTitle')}>
      {report.answer === null ? null : <QuotedText text={report.answer} />}
      <StaffTextField
        label={words('answerLabelOptional')}
        limit={STAFF_TEXT_LIMITS.answer}
        value={answer.value}
        write={answer.write}
      />
      <StaffTextField
        label={words('moderatorNoteLabel')}
        limit={STAFF_TEXT_LIMITS.note}
        value={note.value}
        write={note.write}
      />
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
    </CaseSection>
  );
}
