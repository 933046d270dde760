import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { handleDuePaymentEvents, reconcileSubscriptions } from '../../src/services/process-payment-events.ts';
import { BILLING } from '../../src/features/billing/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import { readEnvironment } from '../../src/env/read-environment.ts';
import { readUser } from '../../src/features/account/session/session.ts';
import { RUNTIME_CONFIG_KV_KEY } from '../../src/features/runtime-config/runtime-config-gateway.ts';
import { createId } from '../../src/lib/ids.ts';
import { wrapDatabase, CrashInjector } from './crash-injection.ts';
import { ORIGIN, createAccount, Visitor } from './factories.ts';
import {
  setRuntimeConfig,
  createDeletionToken,
  createInviter,
  deleteMembershipRecords,
  expectNothingBilled,
  readMembershipRecords,
} from './membership-records.ts';
import { STEPS_AFTER_DELETION, type InjectedFault, type MembershipStep } from './membership-steps.ts';
import {
  type MembershipRecords,
  getMembershipBounds,
  expectEndedForCause,
  expectOneUpcoming,
  expectRecordsMatchAgreements,
  getCommissionBounds,
} from './membership-invariants.ts';
import { type Agreement, PayPalInMemory, REJECTION_REASONS } from './paypal-in-memory.ts';
import { SMALL_LIMITS, SpendingSimulation } from './spending-simulation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_AGREEMENTS = 3;

interface CallResult {
  status: number;
  body: Record<string, unknown>;
}

/** A simulation of one user, their wallet and subscriptions, PayPal and the faults in between. */
export class MembershipSimulation {
  readonly #power = new CrashInjector();
  readonly #payPal: PayPalInMemory;
  readonly #env: Env;
  readonly #user: Visitor;
  readonly #inviterId: string;
  readonly #percent: number;
  readonly #spending: SpendingSimulation;
  /** The account is deleted. */
  #isDeleted = false;

  private constructor(me: Visitor, inviterId: string, percent: number) {
    const base = env.PAYPAL_API_BASE ?? '';
    this.#user = me;
    this.#inviterId = inviterId;
    this.#percent = percent;
    this.#payPal = new PayPalInMemory(base, this.#power);
    this.#env = { ...env, DB: wrapDatabase(this.#power, env.DB) };
    this.#spending = new SpendingSimulation(me.id);
    const realFetch = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      return (await this.#payPal.handleRequest(url, init)) ?? realFetch(input, init);
    });
  }

  /** @param now a time long before that of other tests, so that their users are not affected */
  static async create(now: number, percent: number): Promise<MembershipSimulation> {
    const me = await createAccount();
    const inviterId = createId(Date.now());
    vi.useFakeTimers({ toFake: ['Date'], now });
    await setRuntimeConfig(me, { ...SMALL_LIMITS, commission_percent: percent });
    await createInviter(me.id, inviterId, now);
    return new MembershipSimulation(me, inviterId, percent);
  }

  /** Removes everything that other tests would see. */
  async close(): Promise<void> {
    vi.restoreAllMocks();
    await deleteMembershipRecords({
      userId: this.#user.id,
      inviterId: this.#inviterId,
      ids: [...this.#payPal.agreements.keys()],
    });
    await setRuntimeConfig(this.#user, {});
    await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
    vi.useRealTimers();
  }

  get #agreements(): Agreement[] {
    return [...this.#payPal.agreements.values()];
  }

  #agreementAt(which: number): Agreement | undefined {
    return this.#agreements[which % Math.max(1, this.#agreements.length)];
  }

  #advance(ms: number): void {
    vi.setSystemTime(Date.now() + ms);
  }

  /** Calls the product's API on a machine whose power may fail. */
  async #call(path: string, init: RequestInit): Promise<CallResult> {
    const behind: Promise<unknown>[] = [];
    const context = {
      waitUntil: (work: Promise<unknown>) => void behind.push(work),
      passThroughOnException: () => undefined,
      props: {},
    } as unknown as ExecutionContext;
    const answer = await api.fetch(new Request(ORIGIN + path, init), this.#env, context);
    await Promise.allSettled(behind);
    return { status: answer.status, body: await answer.json() };
  }

  /**
   * Runs a step with an injected fault; unless the power failed, our database then knows what PayPal was asked in full.
   * @returns whether nothing failed
   */
  async #runWithFault(work: () => Promise<unknown>, mishap: InjectedFault): Promise<boolean> {
    const payPal = this.#payPal;
    if (mishap !== null && 'power' in mishap) this.#power.failAt(mishap.power, mishap.acts);
    if (mishap !== null && 'payPal' in mishap) payPal.trouble = { at: mishap.payPal, acts: mishap.acts };
    payPal.answered.clear();
    payPal.troubled = false;
    await work().catch((error: unknown) => {
      if (!this.#power.hasFailed) throw error;
    });
    const { hasFailed: failed } = this.#power;
    this.#power.restore();
    payPal.trouble = null;
    if (failed) return false;
    for (const [agreement, answered] of payPal.answered) {
      const [state, payments] = [answered.get('show'), answered.get('transactions')];
      if (state === undefined) continue;
      agreement.isPartlyReported = payments === undefined;
      if (payments !== undefined) agreement.told = Math.max(agreement.told, Math.min(state, payments));
    }
    return !payPal.troubled;
  }

  async runStep(step: MembershipStep): Promise<void> {
    if (this.#isDeleted && !STEPS_AFTER_DELETION.has(step.do)) return;
    this.#payPal.cancelled = [];
    await this.#performStep(step);
    if (step.do !== 'downgrade' && step.do !== 'leave') expectEndedForCause(this.#payPal);
    if (this.#isDeleted) return;
    // Only the passing of time changes both; every other step changes one of them.
    if (step.do !== 'speak') await this.#expectInvariants();
    if (step.do === 'speak' || step.do.startsWith('wait')) await this.#spending.expectExact();
  }

  async #performStep(step: MembershipStep): Promise<void> {
    const payPal = this.#payPal;
    switch (step.do) {
      case 'wait':
        return this.#advance(step.ms);
      case 'waitUntilDue': {
        const agreement = this.#agreementAt(step.which);
        const due = (agreement?.nextAt ?? 0) + step.late;
        return this.#advance(Math.max(0, due - Date.now()));
      }
      case 'agree': {
        if (this.#agreements.length >= MAX_AGREEMENTS) return;
        const ends = (await this.#readRecords()).rows.map(({ period_end }) => period_end);
        const begins = step.later ? Math.max(0, ...ends) : 0;
        const agreement = payPal.createAgreement(step.kind, this.#user.id, {
          startsAt: begins,
          isStrangers: step.byOtherUser,
        });
        if (step.pays && begins <= Date.now()) payPal.pay(agreement);
        return;
      }
      case 'activate':
        return this.#activate(step);
      case 'due': {
        const agreement = this.#agreementAt(step.which);
        if (agreement?.kept.status !== 'ACTIVE') return;
        const isFirst = agreement.kept.payments.length === 0 && agreement.startsAt <= Date.now();
        if (!isFirst && agreement.nextAt > Date.now()) return;
        if (step.pays === 'nothing') payPal.setStatus(agreement, 'fail');
        else payPal.pay(agreement, step.pays === 'all' ? undefined : '0.01');
        return;
      }
      case 'back': {
        const agreement = this.#agreementAt(step.which);
        const there = (agreement?.kept.payments ?? []).filter(({ status }) => status !== 'REFUNDED');
        const payment = there[step.payment % Math.max(1, there.length)];
        if (agreement === undefined || payment === undefined) return;
        if (step.cents === 'reversed') payPal.reverse(agreement, payment);
        else payPal.refund(agreement, payment, step.cents);
        return;
      }
      case 'become': {
        const agreement = this.#agreementAt(step.which);
        const { status } = agreement?.kept ?? {};
        const isOn = status === 'ACTIVE' || (status === 'SUSPENDED' && step.act !== 'suspend');
        if (agreement !== undefined && isOn && (step.act !== 'activate' || status === 'SUSPENDED'))
          payPal.setStatus(agreement, step.act);
        return;
      }
      case 'downgrade':
        return this.#downgrade(step.mishap);
      case 'deliver':
        return this.#deliver(step);
      case 'lose': {
        const place = step.which % Math.max(1, payPal.waiting.length);
        if (payPal.waiting[place]?.mustArrive === false) payPal.waiting.splice(place, 1);
        return;
      }
      case 'forge': {
        const told = payPal.waiting[step.which % Math.max(1, payPal.waiting.length)];
        if (told === undefined) return;
        const forged = await this.#post(told.body.replace('"event_version":"1.0"', '"event_version":"1.1"'));
        expect(forged).toBe(400);
        return;
      }
      case 'minute':
        await this.#runWithFault(() => handleDuePaymentEvents(this.#env, Date.now()), step.mishap);
        return;
      case 'housekeeping': {
        const isWhole = await this.#runWithFault(
          () => reconcileSubscriptions(this.#env, Date.now()),
          step.mishap,
        );
        if (isWhole && !this.#isDeleted) await this.#expectMembershipRetained();
        return;
      }
      case 'payout':
        await env.DB.prepare(
          "update commissions set status = 'paid', payout_id = ? where inviter_id = ? and status = 'due'",
        )
          .bind(createId(Date.now()), this.#inviterId)
          .run();
        return;
      case 'leave':
        return this.#deleteAccount(step.mishap);
      case 'speak': {
        const entitlement = { unlimited: await this.#isMember(), timeZone: step.zone };
        await this.#spending.runStep(step.deed, entitlement, step);
        return;
      }
    }
  }

  #ask(path: string, json?: unknown) {
    return this.#call(path, {
      method: 'POST',
      headers: { cookie: this.#user.cookie, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  }

  async #activate({ which, mishap }: { which: number; mishap: InjectedFault }): Promise<void> {
    const agreement = this.#agreementAt(which);
    if (agreement === undefined) return;
    const { id, status } = agreement.kept;
    let answer: CallResult | null = null;
    const before = await this.#readKnownIds();
    const isWhole = await this.#runWithFault(async () => {
      answer = await this.#ask('/api/subscription/activate', { subscription_id: id });
    }, mishap);
    const told = answer as CallResult | null;
    // A suspended subscription is refused and forgotten: nothing is billed until PayPal reports that it runs again.
    if (isWhole && told?.body.code !== 'subscription_not_active') this.#markHeard(id);
    const after = await this.#readKnownIds();
    if (isWhole && !before.has(id) && after.has(id))
      expectOneUpcoming(
        this.#agreements.filter(({ kept }) => after.has(kept.id)),
        Date.now(),
      );
    if (!isWhole || agreement.kind === 'ours' || status !== 'ACTIVE') return;
    expect(told?.body.code).toBe(REJECTION_REASONS[agreement.kind]);
  }

  async #downgrade(mishap: InjectedFault): Promise<void> {
    let status = 0;
    await this.#runWithFault(async () => {
      ({ status } = await this.#ask('/api/subscription/downgrade'));
    }, mishap);
    if (status !== 200) return;
    for (const { id } of (await this.#readRecords()).rows)
      expect(['CANCELLED', 'EXPIRED']).toContain(this.#payPal.agreements.get(id)?.kept.status);
  }

  #markHeard(id: string): void {
    const agreement = this.#payPal.agreements.get(id);
    if (agreement !== undefined) agreement.isReported = true;
  }

  /** Confirms the deletion through the mail's link, in the same session. */
  async #deleteAccount(mishap: InjectedFault): Promise<void> {
    const token = await createDeletionToken(this.#user.id, Date.now() + HOUR_MS);
    await this.#runWithFault(() => this.#ask('/api/account/delete-confirm', { token }), mishap);
    this.#isDeleted = (await readUser(openDatabase(env.DB), this.#user.id, readEnvironment(env))) === null;
  }

  async #post(body: string): Promise<number> {
    const base = env.PAYPAL_API_BASE ?? '';
    const { status } = await this.#call('/api/paypal/webhook', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': `${base}/cert`,
        'paypal-transmission-id': createId(Date.now()),
        'paypal-transmission-sig': 'c2lnbmVk',
        'paypal-transmission-time': '2024-01-01T00:00:00Z',
      },
      body,
    });
    return status;
  }

  /** Events that were refused arrive again later, and accepted ones may be repeated. */
  async #deliver({
    which,
    times,
    mishap,
  }: {
    which: number;
    times: number;
    mishap: InjectedFault;
  }): Promise<void> {
    const { waiting } = this.#payPal;
    const told = waiting[which % Math.max(1, waiting.length)];
    if (told === undefined) return;
    for (let time = 0; time < times; time += 1) {
      let status = 0;
      const isWhole = await this.#runWithFault(
        async () => void (status = await this.#post(told.body)),
        time === 0 ? mishap : null,
      );
      if (isWhole) expect(status).toBe(200);
      if (status !== 200) continue;
      this.#payPal.waiting = this.#payPal.waiting.filter((one) => one !== told);
      for (const { kept } of this.#agreements) if (told.body.includes(kept.id)) this.#markHeard(kept.id);
    }
  }

  #readRecords(): Promise<MembershipRecords> {
    const ids = [...this.#payPal.agreements.keys()];
    return readMembershipRecords({ userId: this.#user.id, inviterId: this.#inviterId, ids });
  }

  /** The subscriptions in our database. */
  async #readKnownIds(): Promise<Set<string>> {
    return new Set((await this.#readRecords()).rows.map(({ id }) => id));
  }

  async #isMember(): Promise<boolean> {
    const user = await readUser(openDatabase(env.DB), this.#user.id, readEnvironment(env));
    return user?.plan !== 'free';
  }

  /** The invariants of every moment. */
  async #expectInvariants(): Promise<void> {
    const now = Date.now();
    const [books, isMember] = await Promise.all([this.#readRecords(), this.#isMember()]);
    const { least, most } = getMembershipBounds(books, this.#payPal.agreements);
    if (now < least) expect({ isMember, paidUntil: new Date(least) }).toMatchObject({ isMember: true });
    if (now >= most) expect({ isMember, mostUntil: new Date(most) }).toMatchObject({ isMember: false });
    const shares = getCommissionBounds(books, this.#payPal, this.#percent);
    if (shares !== null) expect(books.owedCents).toBe(shares);
  }

  /** Running subscriptions were checked recently, and ended ones are recorded as ended. */
  async #expectMembershipRetained(): Promise<void> {
    const longAgo = Date.now() - BILLING.reconcileAfterMs - MINUTE_MS;
    for (const { id, status } of (await this.#readRecords()).rows)
      if (status === 'active' || status === 'suspended')
        expect(this.#payPal.agreements.get(id)?.askedAt).toBeGreaterThan(longAgo);
    const row = await env.DB.prepare('select plan from users where id = ?')
      .bind(this.#user.id)
      .first<{ plan: string }>();
    expect(row?.plan !== 'free').toBe(await this.#isMember());
  }

  /** Runs a day without faults, after which our database must match PayPal's state. */
  async recover(): Promise<void> {
    for (const told of this.#payPal.waiting.filter(({ mustArrive }) => mustArrive)) {
      const which = this.#payPal.waiting.indexOf(told);
      await this.runStep({ do: 'deliver', which, times: 1, mishap: null });
    }
    for (const hours of [3, 8, 1]) {
      this.#advance(hours * HOUR_MS);
      await this.runStep({ do: 'minute', mishap: null });
      await this.runStep({ do: 'housekeeping', mishap: null });
    }
    if (this.#isDeleted) return expectNothingBilled(this.#agreements);
    const known = await this.#readKnownIds();
    expectOneUpcoming(
      this.#agreements.filter(({ kept }) => known.has(kept.id)),
      Date.now(),
    );
    expectRecordsMatchAgreements((await this.#readRecords()).rows, this.#payPal.agreements, Date.now());
  }
}
