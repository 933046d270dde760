import { useState } from 'react';
import type { AppealCase } from '../../features/moderation/appeal-contract.ts';
import { type MessageKey, useLang, useTranslate } from '../shared/i18n.tsx';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { CaseUserLink } from './AccountView.tsx';
import { adminQueues } from './admin-reports-state.ts';
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

/** An appeal, the decision that it challenges, and the form to decide it. */
export function AppealView({ appeal, busy }: { appeal: AppealCase; busy: boolean }) {
  const words = useTranslate('adminReports');
  const {
    message,
    refused_text: refused,
    place,
    rule,
    beside: passages,
    person,
    measure,
    character,
  } = appeal;
  return (
    <>
      <CaseSection title={words('appealMessageTitle')}>
        <QuotedText text={message} />
        <CaseUserLink person={person} as="appealedBy" busy={busy} />
      </CaseSection>
      {refused === null ? null : (
        <CaseSection title={words('refusedTextTitle')}>
          <QuotedText text={refused} />
          <p className="text-sm text-text-quiet">
            {place === null ? null : (
              <span className="block">{words('writtenIn', { place: words(`writtenIn_${place}`) })}</span>
            )}
            {rule === null ? null : (
              <span className="block">
                {words('rule', { rule: words(`rule_${rule}` as MessageKey<'adminReports'>) })}
              </span>
            )}
          </p>
        </CaseSection>
      )}
      {appeal.explanation === null ? null : <Explanation explanation={appeal.explanation} />}
      {passages.length === 0 ? null : <EvidenceView appeal={appeal} />}
      {character === null ? null : <CharacterView character={character} />}
      {measure === null ? null : <ModerationActions measures={[measure]} busy={busy} />}
      <AppealDecisionForm key={appeal.status} appeal={appeal} busy={busy} />
      <CaseHistory steps={appeal.history} />
    </>
  );
}

/** The text classifier's labels for the text, with the features that weighed most for each. */
function Explanation({ explanation }: { explanation: NonNullable<AppealCase['explanation']> }) {
  const words = useTranslate('adminReports');
  const lang = useLang();
  const percent = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(lang, { signDisplay: 'always', maximumFractionDigits: 2 });
  return (
    <CaseSection title={words('classifierTitle')}>
      {explanation.explanations.length === 0 ? <p>{words('classifierEmpty')}</p> : null}
      <ul className="rows">
        {explanation.explanations.map(({ label, probability, sentence, features }) => (
          <li key={label}>
            <p>
              {words(`classifierLabel_${label}`)}: {percent.format(probability)}
            </p>
            <QuotedText text={sentence} />
            {features.length === 0 ? null : (
              <p className="text-sm break-words text-text-quiet" dir="auto">
                {words('classifierFeatures', {
                  features: features
                    .map(({ feature, weight }) => `${feature} ${signed.format(weight)}`)
                    .join(' · '),
                })}
              </p>
            )}
          </li>
        ))}
      </ul>
    </CaseSection>
  );
}

/** The context that the text was refused with; granting the appeal covers text and context together. */
function EvidenceView({ appeal: { beside: passages, beside_whole: isWhole } }: { appeal: AppealCase }) {
  const words = useTranslate('adminReports');
  return (
    <CaseSection title={words('contextTitle')}>
      <p className="text-sm text-text-quiet">{words(isWhole ? 'contextComplete' : 'contextIncomplete')}</p>
      <ul className="rows">
        {passages.map(({ of, text }) => (
          // The texts are unique.
          <li key={text}>
            <p className="text-sm text-text-quiet">{words(`context_${of}`)}</p>
            <QuotedText text={text} />
          </li>
        ))}
      </ul>
    </CaseSection>
  );
}

function AppealDecisionForm({ appeal, busy }: { appeal: AppealCase; busy: boolean }) {
  const words = useTranslate('adminReports');
  const doing = useRunAction();
  const [tried, setTried] = useState(false);
  const answer = useBoundedText(STAFF_TEXT_LIMITS.answer);
  const note = useBoundedText(STAFF_TEXT_LIMITS.note);
  const decide = (status: 'granted' | 'declined') => {
    setTried(true);
    if (answer.given === undefined || answer.over || note.over) return;
    const decision = {
      status,
      answer: answer.given,
      ...(note.given === undefined ? {} : { note: note.given }),
    };
    void doing(adminQueues.decideAppeal(decision), words('decisionSaved'));
  };
  return (
    <CaseSection title={words('decisionTitle')}>
      {appeal.answer === null ? null : <QuotedText text={appeal.answer} />}
      <StaffTextField
        label={words('answerLabel')}
        limit={STAFF_TEXT_LIMITS.answer}
        value={answer.value}
        wrong={tried && answer.given === undefined ? words('answerMissing') : null}
        write={answer.write}
      />
      <StaffTextField
        label={words('moderatorNoteLabel')}
        limit={STAFF_TEXT_LIMITS.note}
        value={note.value}
        write={note.write}
      />
      <div className="flex flex-wrap gap-3">
        {appeal.status === 'granted' ? null : (
          <button type="button" className={PRIMARY} disabled={busy} onClick={() => decide('granted')}>
            {words('grant')}
          </button>
        )}
        {appeal.status === 'declined' ? null : (
          <button type="button" className={SECONDARY} disabled={busy} onClick={() => decide('declined')}>
            {words('decline')}
          </button>
        )}
      </div>
    </CaseSection>
  );
}
