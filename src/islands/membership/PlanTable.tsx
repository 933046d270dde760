import type { Plan } from '../../features/billing/contract.ts';
import { formatMoney } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { PRIMARY } from '../shared/styles.ts';
import { PLAN_ASPECTS, findFeature } from './membership-rules.ts';
import { getPlanName } from './plan-name.ts';

/**
 * The plans as cards with aligned features, and as a table for assistive technology. The roles are explicit because the
 * layout removes the table elements' own.
 * @param current the user's plan; null while unknown
 * @param joins whether the user may subscribe
 */
export function PlanTable({
  plans,
  current,
  joins,
}: {
  plans: Plan[];
  current: Plan['id'] | null;
  joins: boolean;
}) {
  const words = useTranslate('membership');
  return (
    <div role="table" aria-labelledby="plans-title" className="plans">
      <div role="rowgroup" className="sr-only">
        <div role="row">
          <div role="columnheader">{words('planLabel')}</div>
          <div role="columnheader">{words('priceLabel')}</div>
          {PLAN_ASPECTS.map(({ id }) => (
            <div key={id} role="columnheader">
              {words(`aspect_${id}`)}
            </div>
          ))}
          <div role="columnheader">{words('choiceColumn')}</div>
        </div>
      </div>
      <div role="rowgroup" className="plan-cards">
        {plans.map((plan) => (
          <PlanRow key={plan.id} plan={plan} plans={plans} isCurrent={plan.id === current} joins={joins} />
        ))}
      </div>
    </div>
  );
}

function PlanRow({
  plan,
  plans,
  isCurrent,
  joins,
}: {
  plan: Plan;
  plans: Plan[];
  isCurrent: boolean;
  joins: boolean;
}) {
  const words = useTranslate('membership');
  const lang = useLang();
  const price = formatMoney(plan.price_cents, lang);
  return (
    <div role="row" className="plan-card" data-plan={plan.id} data-current={isCurrent || undefined}>
      <div role="rowheader" className="plan-name">
        {getPlanName(plan.id, plans, words)}
      </div>
      <div role="cell" className="plan-price">
        {plan.price_cents === 0 ? words('priceFree') : words('pricePerMonth', { price })}
      </div>
      {PLAN_ASPECTS.map((aspect, index) =>
        plan.limits !== null ? (
          <div key={aspect.id} role="cell">
            <PlanFeature plan={plan} limits={plan.limits} aspect={aspect} />
          </div>
        ) : (
          // Visible once per card, and in every cell for screen readers.
          <div key={aspect.id} role="cell" className={index === 0 ? 'plan-to-come' : 'sr-only'}>
            {words('detailsToCome')}
          </div>
        ),
      )}
      <div role="cell" className="plan-choice">
        <PlanAction
          plan={plan}
          name={getPlanName(plan.id, plans, words)}
          isCurrent={isCurrent}
          joins={joins}
        />
      </div>
    </div>
  );
}

function PlanFeature({
  plan,
  limits,
  aspect,
}: {
  plan: Plan;
  limits: NonNullable<Plan['limits']>;
  aspect: (typeof PLAN_ASPECTS)[number];
}) {
  const words = useTranslate('membership');
  const { daily_messages: daily, personas, refill_points: points, refill_hours: hours } = limits;
  switch (findFeature(plan, aspect)) {
    case 'all_characters':
      return words('allCharacters');
    case 'unlimited_messages':
      return words(aspect.id === 'points' ? 'messagesCostNoPoints' : 'unlimitedMessages');
    case 'daily_messages':
      return daily === null ? words('unlimitedMessages') : words('dailyMessages', { count: daily });
    case 'points_refill':
      return points === null || hours === null ? (
        <NotIncluded />
      ) : (
        words('pointsRefill', { points, count: hours })
      );
    case 'faster_responses':
      return words('fasterResponses');
    case 'priority_support':
      return words('prioritySupport');
    case 'personas':
      return words(plan.id === 'free' ? 'personaLimit' : 'personaLimitBeta', { count: personas });
    default:
      return <NotIncluded />;
  }
}

/** Marks a feature that a plan does not include. */
function NotIncluded() {
  const words = useTranslate('membership');
  return (
    <>
      <span aria-hidden="true" className="plan-nothing">
        –
      </span>
      <span className="sr-only">{words('notIncluded')}</span>
    </>
  );
}

function PlanAction({
  plan,
  name,
  isCurrent,
  joins,
}: {
  plan: Plan;
  name: string;
  isCurrent: boolean;
  joins: boolean;
}) {
  const words = useTranslate('membership');
  if (isCurrent) return <span className="badge">{words('yourPlanBadge')}</span>;
  if (!plan.available) return <span className="text-text-quiet">{words('comingSoon')}</span>;
  if (plan.id === 'free' || !joins) return null;
  return (
    <a className={PRIMARY} href="#join">
      {words('choosePlan', { plan: name })}
    </a>
  );
}
