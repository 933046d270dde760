import { useCallback, useEffect, useId, useRef, useState } from 'react';
import type { AccountCase } from '../../features/moderation/moderation-action-contract.ts';
import { MAX_GRANT_POINTS, MAX_GRANT_REASON_CHARS } from '../../features/wallet/limits.ts';
import { AccountDetails } from '../admin-reports/AccountView.tsx';
import {
  CaseLoadError,
  CaseSection,
  STAFF_TEXT_LIMITS,
  StaffTextField,
  useBoundedText,
  useRunAction,
} from '../admin-reports/case-components.tsx';
import type { Failure } from '../shared/api.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { FIELD, LINK, SECONDARY } from '../shared/styles.ts';
import { ConfirmDialog } from '../shared/ui/ConfirmDialog.tsx';
import { peopleApi } from './people-api.ts';

type AccountState =
  | { status: 'loading'; account: AccountCase | null }
  | { status: 'ready'; account: AccountCase }
  | { status: 'failed' | 'missing'; account: null };

/** The account of a found person, and what staff can do about it. It is never cached: each view is logged for its owner. */
export function PersonAccount({ userId }: { userId: string }) {
  const words = useTranslate('admin');
  const caseWords = useTranslate('adminReports');
  const [{ status, account }, setState] = useState<AccountState>({ status: 'loading', account: null });
  const [isBusy, setIsBusy] = useState(false);
  const load = useCallback(async () => {
    const answer = await peopleApi.account(userId);
    if (answer.ok) setState({ status: 'ready', account: answer.data });
    else setState({ status: answer.status === 404 ? 'missing' : 'failed', account: null });
  }, [userId]);
  useEffect(() => void load(), [load]);
  /** Runs an action, one at a time, and loads the account again. */
  const run = async (act: () => Promise<Failure | null>): Promise<Failure | null> => {
    setIsBusy(true);
    const failure = await act();
    if (failure === null) await load();
    setIsBusy(false);
    return failure;
  };
  if (status === 'missing') return <p role="status">{caseWords('accountMissing')}</p>;
  if (status === 'failed')
    return (
      <CaseLoadError
        again={() => {
          setState({ status: 'loading', account: null });
          void load();
        }}
      />
    );
  if (account === null)
    return (
      <p role="status" className="text-text-quiet">
        {caseWords('loading')}
      </p>
    );
  return (
    <>
      <CaseSection title={caseWords('accountNamed', { name: account.name })}>
        <AccountDetails
          account={account}
          busy={isBusy}
          revoke={(id) => run(() => peopleApi.revokeAction(id))}
        />
      </CaseSection>
      {account.is_anonymous || account.suspended_at !== null ? null : (
        <a className={`${LINK} row-link self-start`} href={`/creator/${encodeURIComponent(userId)}`}>
          {words('peopleCharacters')}
        </a>
      )}
      <GivePointsForm
        account={account}
        busy={isBusy}
        give={(grantId, points, reason) => run(() => peopleApi.givePoints(grantId, userId, points, reason))}
      />
      {account.suspended_at === null ? (
        <SuspendForm busy={isBusy} suspend={(reason) => run(() => peopleApi.suspend(userId, reason))} />
      ) : null}
    </>
  );
}

function GivePointsForm({
  account: { name },
  busy,
  give,
}: {
  account: AccountCase;
  busy: boolean;
  give: (grantId: string, points: number, reason: string) => Promise<Failure | null>;
}) {
  const words = useTranslate('admin');
  const caseWords = useTranslate('adminReports');
  const doing = useRunAction();
  const id = useId();
  const [points, setPoints] = useState('');
  const [tried, setTried] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const reason = useBoundedText(MAX_GRANT_REASON_CHARS);
  // A repeated attempt keeps its id, so that a lost answer does not give the points twice.
  const grantId = useRef(crypto.randomUUID());
  const count = /^\d{1,6}$/.test(points.trim()) ? Number(points) : 0;
  const isValid = count >= 1 && count <= MAX_GRANT_POINTS;
  const confirm = async () => {
    setIsConfirming(false);
    if (reason.given === undefined) return;
    if (!(await doing(give(grantId.current, count, reason.given), words('pointsGranted')))) return;
    grantId.current = crypto.randomUUID();
    setPoints('');
    reason.clear();
    setTried(false);
  };
  return (
    <CaseSection title={words('grantPoints')}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          setIsConfirming(isValid && reason.given !== undefined && !reason.over);
        }}
      >
        <div className="flex flex-col gap-1">
          <label htmlFor={id}>{words('grantPointsNumberLabel')}</label>
          <input
            id={id}
            inputMode="numeric"
            autoComplete="off"
            className={`${FIELD} max-w-40`}
            value={points}
            aria-invalid={tried && !isValid}
            aria-describedby={`${id}-wrong`}
            onChange={(event) => setPoints(event.target.value)}
          />
          <p id={`${id}-wrong`} role="status" className="text-sm text-danger empty:hidden">
            {tried && !isValid ? words('grantPointsNumberInvalid', { most: MAX_GRANT_POINTS }) : null}
          </p>
        </div>
        <StaffTextField
          label={words('grantPointsReasonLabel')}
          limit={MAX_GRANT_REASON_CHARS}
          value={reason.value}
          wrong={tried && reason.given === undefined ? caseWords('actionReasonMissing') : null}
          write={reason.write}
        />
        <button type="submit" className={`${SECONDARY} self-start`} disabled={busy}>
          {words('grantPoints')}
        </button>
      </form>
      <ConfirmDialog
        open={isConfirming}
        title={words('grantPointsConfirmTitle', { name })}
        text={words('grantPointsConfirmText', { points: count })}
        stay={caseWords('cancel')}
        go={words('grantPoints')}
        onStay={() => setIsConfirming(false)}
        onGo={() => void confirm()}
      />
    </CaseSection>
  );
}

function SuspendForm({
  busy,
  suspend,
}: {
  busy: boolean;
  suspend: (reason: string) => Promise<Failure | null>;
}) {
  const words = useTranslate('admin');
  const caseWords = useTranslate('adminReports');
  const doing = useRunAction();
  const [tried, setTried] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const reason = useBoundedText(STAFF_TEXT_LIMITS.reason);
  const confirm = async () => {
    setIsConfirming(false);
    if (reason.given !== undefined) await doing(suspend(reason.given), caseWords('actionDone'));
  };
  return (
    <CaseSection title={words('suspendAccount')}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          setIsConfirming(reason.given !== undefined && !reason.over);
        }}
      >
        <StaffTextField
          label={caseWords('actionReasonLabel')}
          limit={STAFF_TEXT_LIMITS.reason}
          value={reason.value}
          wrong={tried && reason.given === undefined ? caseWords('actionReasonMissing') : null}
          write={reason.write}
        />
        <button type="submit" className={`${SECONDARY} button-danger self-start`} disabled={busy}>
          {words('suspendAccount')}
        </button>
      </form>
      <ConfirmDialog
        open={isConfirming}
        title={words('suspendAccount')}
        text={caseWords('actionConfirm_account_suspended')}
        stay={caseWords('cancel')}
        go={words('suspendAccount')}
        onStay={() => setIsConfirming(false)}
        onGo={() => void confirm()}
      />
    </CaseSection>
  );
}
