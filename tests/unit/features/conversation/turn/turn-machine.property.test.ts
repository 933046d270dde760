import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Admission,
  type CallId,
  decide,
  IDLE,
  type TurnCommand,
  type TurnEffect,
  type TurnPlan,
  type TurnState,
} from '../../../../../src/features/conversation/turn/turn-machine.ts';
import type { TurnCause } from '../../../../../src/features/conversation/turn/turn.ts';
import type { OpenTurn } from '../../../../../src/features/conversation/turn/turn-store.ts';

/**
 * A conversation around the state machine: it keeps the rows, and answers admissions, the model and the wallet whenever a
 * step of the test says so.
 */
class Conversation {
  state: TurnState = IDLE;
  readonly answers = new Map<CallId, TurnEffect['kind'][]>();
  readonly events: string[] = [];
  readonly stored = new Map<string, 'open' | 'ended' | 'removed'>();
  readonly settled: string[] = [];
  readonly released: string[] = [];
  awaited: OpenTurn | null = null;
  writing: OpenTurn | null = null;
  settling: OpenTurn | null = null;
  #calls = 0;
  #versions = 0;

  call(): CallId {
    this.#calls += 1;
    this.answers.set(this.#calls, []);
    return this.#calls;
  }

  plan(id: string): TurnPlan {
    this.#versions += 1;
    const versionId = `version-${this.#versions}`;
    const turn: OpenTurn = {
      id,
      kind: 'send',
      characterId: 'character',
      userMessageId: `sent-${this.#versions}`,
      replyId: `reply-${this.#versions}`,
      versionId,
      previousVersionId: null,
      baseLength: 0,
      head: 0,
      payerId: 'payer',
      notice: null,
      isFirst: false,
      updatedBefore: 0,
    };
    const ids = { id: turn.replyId, versionId };
    return { turn, rows: { sent: null, reply: { kind: 'new', ids }, model: 'model' } };
  }

  find(id: string) {
    const turn = this.state.phase === 'idle' ? null : this.state.turn;
    return turn?.id === id ? { ...turn, ended: false, errorCode: null } : null;
  }

  run(command: TurnCommand): void {
    const { state, effects } = decide(this.state, command, 1000);
    this.state = state;
    for (const effect of effects) this.#apply(effect);
  }

  #apply(effect: TurnEffect): void {
    this.events.push(effect.kind);
    if ('call' in effect) this.answers.get(effect.call)?.push(effect.kind);
    switch (effect.kind) {
      case 'request_admission':
        this.awaited = effect.turn;
        break;
      case 'store_turn':
        expect(this.stored.has(effect.turn.versionId)).toBe(false);
        expect([...this.stored.values()]).not.toContain('open');
        this.stored.set(effect.turn.versionId, 'open');
        break;
      case 'remove_turn':
        expect(this.stored.get(effect.turn.versionId)).toBe('open');
        this.stored.set(effect.turn.versionId, 'removed');
        if (effect.settlement !== null) this.released.push(effect.settlement.versionId);
        break;
      case 'call_model':
        expect(this.stored.get(effect.turn.versionId)).toBe('open');
        expect(this.writing).toBeNull();
        this.writing = effect.turn;
        break;
      case 'store_end':
        expect(this.stored.get(effect.turn.versionId)).toBe('open');
        this.stored.set(effect.turn.versionId, 'ended');
        this.settled.push(effect.settlement.versionId);
        break;
      case 'settle':
        this.settling = effect.turn;
        break;
      case 'sync':
        for (const call of effect.calls) this.answers.get(call)?.push('sync');
        break;
      default:
    }
  }

  admit(admission: Admission): void {
    const turn = this.awaited;
    this.awaited = null;
    if (turn !== null) this.run({ kind: 'admission', versionId: turn.versionId, admission });
  }

  end(cause: TurnCause, text: string): void {
    if (this.writing === null) return;
    this.writing = null;
    this.run({ kind: 'ended', cause, text, thinking: '' });
  }

  settle(): void {
    if (this.settling === null) return;
    this.settling = null;
    this.run({ kind: 'settled', points: null });
  }

  finish(): void {
    this.admit({ ok: true });
    this.end({ kind: 'finished' }, 'Hello');
    this.settle();
  }
}

type Step = (conversation: Conversation) => void;

const refusal = { ok: false, code: 'server_error' } as const;

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom('a', 'b', 'c').map((id): Step => (conversation) => {
    const known = conversation.find(id);
    const call = conversation.call();
    const isIdle = conversation.state.phase === 'idle';
    const plan = known === null && isIdle ? conversation.plan(id) : null;
    conversation.run({ kind: 'begin', call, known, plan });
  }),
  fc.constant<Step>((conversation) => conversation.run({ kind: 'follow', call: conversation.call() })),
  fc.constant<Step>((conversation) => conversation.run({ kind: 'stop', call: conversation.call() })),
  fc.constant<Step>((conversation) => conversation.admit({ ok: true })),
  fc.boolean().map(
    (isHeld): Step =>
      (conversation) =>
        conversation.admit({ ok: false, refusal, isHeld }),
  ),
  fc
    .constantFrom<TurnCause>(
      { kind: 'finished' },
      { kind: 'stopped' },
      { kind: 'failed', failure: 'cut_off' },
    )
    .chain((cause) =>
      fc.constantFrom('', 'Hello').map(
        (text): Step =>
          (c) =>
            c.end(cause, text),
      ),
    ),
  fc.constant<Step>((conversation) => conversation.settle()),
);

describe('Turn state machine', () => {
  it('every call is answered once and every stored turn ends or is removed, in any order of events', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (sequence) => {
        const conversation = new Conversation();
        for (const step of sequence) step(conversation);
        conversation.finish();
        expect(conversation.state).toEqual(IDLE);
        expect([...conversation.stored.values()]).not.toContain('open');
        for (const answers of conversation.answers.values()) expect(answers).toHaveLength(1);
        const ended = [...conversation.stored].filter(([, end]) => end === 'ended').map(([id]) => id);
        expect(conversation.settled).toEqual(ended);
        for (const id of conversation.released) expect(conversation.stored.get(id)).toBe('removed');
      }),
    );
  });

  it('the wallet is called and the persona looked up before the turn’s rows are written', () => {
    const conversation = new Conversation();
    conversation.run({ kind: 'begin', call: conversation.call(), known: null, plan: conversation.plan('a') });
    expect(conversation.events).toEqual(['request_admission', 'compose', 'store_turn']);
  });

  it('the model is called only once the turn is admitted', () => {
    const conversation = new Conversation();
    conversation.run({ kind: 'begin', call: conversation.call(), known: null, plan: conversation.plan('a') });
    expect(conversation.writing).toBeNull();
    conversation.admit({ ok: true });
    expect(conversation.writing?.id).toBe('a');
  });

  it('the late admission of an earlier attempt does not admit a new one with the same id', () => {
    const conversation = new Conversation();
    const [first, second] = [conversation.plan('a'), conversation.plan('a')];
    conversation.run({ kind: 'begin', call: conversation.call(), known: null, plan: first });
    conversation.run({ kind: 'failed' });
    conversation.stored.clear();
    conversation.run({ kind: 'begin', call: conversation.call(), known: null, plan: second });
    const { versionId } = first.turn;
    conversation.run({ kind: 'admission', versionId, admission: { ok: true } });
    expect(conversation.state.phase).toBe('admitting');
  });

  it('a step that cannot be stored answers every waiting call and frees the conversation', () => {
    for (const prepare of [
      () => {},
      (conversation: Conversation) => conversation.admit({ ok: true }),
      (conversation: Conversation) => {
        conversation.admit({ ok: true });
        conversation.end({ kind: 'finished' }, 'Hello');
      },
    ]) {
      const conversation = new Conversation();
      conversation.run({
        kind: 'begin',
        call: conversation.call(),
        known: null,
        plan: conversation.plan('a'),
      });
      conversation.run({ kind: 'follow', call: conversation.call() });
      prepare(conversation);
      conversation.run({ kind: 'stop', call: conversation.call() });
      conversation.run({ kind: 'failed' });
      expect(conversation.state).toEqual(IDLE);
      expect(conversation.events).toContain('watch');
      for (const answers of conversation.answers.values()) expect(answers).toHaveLength(1);
    }
  });

  it('a turn that lost its object ends with its text, free of charge', () => {
    const { turn } = new Conversation().plan('a');
    const { state, effects } = decide(IDLE, { kind: 'recover', turn, text: 'Hel' }, 1000);
    expect(state).toEqual(IDLE);
    expect(effects.map(({ kind }) => kind)).toEqual(['store_end', 'record', 'watch']);
    expect(effects[0]).toMatchObject({ settlement: { outcome: 'release' }, end: { text: 'Hel' } });
  });

  it('a turn in progress is not taken for one that lost its object', () => {
    const conversation = new Conversation();
    const plan = conversation.plan('a');
    conversation.run({ kind: 'begin', call: conversation.call(), known: null, plan });
    expect(decide(conversation.state, { kind: 'recover', turn: plan.turn, text: '' }, 1000).effects).toEqual(
      [],
    );
  });
});
