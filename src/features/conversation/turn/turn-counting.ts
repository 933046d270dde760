import { logFailure } from '../../../lib/log.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import { type Spend, calculateSpend } from '../../model/spend.ts';
import { hasCost } from './turn.ts';
import { buildTurnFigures, countWrittenTokens, type WrittenTurn } from './turn-figures.ts';
import type { TurnPorts } from './turn-port.ts';

/** Computes the cost of turns, for the user's daily limit and for metrics. A failure here never fails the turn. */
export class TurnCounting {
  readonly #ports: Pick<TurnPorts, 'promptTokens' | 'measured'>;

  constructor(ports: Pick<TurnPorts, 'promptTokens' | 'measured'>) {
    this.#ports = ports;
  }

  /** The model's cost of a version; empty when the model was not called or the cost is unknown. */
  spend(
    versionId: string,
    { prices, tokenizer }: ChosenModel,
    { cause, text, thinking }: WrittenTurn,
  ): { spend?: Spend } {
    if (!hasCost(cause)) return {};
    try {
      const replyTokens = countWrittenTokens({ text, thinking }, tokenizer);
      return { spend: calculateSpend(prices, this.#ports.promptTokens(versionId), replyTokens) };
    } catch (error) {
      logFailure('turn_metrics_failed', error);
      return {};
    }
  }

  /** Records a turn's metrics. */
  measure(
    versionId: string,
    ended: Parameters<typeof buildTurnFigures>[0],
    reply: Pick<Parameters<typeof buildTurnFigures>[1], 'model' | 'tokenizer' | 'firstMs'>,
  ): void {
    try {
      const promptTokens = hasCost(ended.cause) ? this.#ports.promptTokens(versionId) : 0;
      this.#ports.measured(buildTurnFigures(ended, { at: Date.now(), promptTokens, ...reply }));
    } catch (error) {
      logFailure('turn_metrics_failed', error);
    }
  }
}
