import type { ModeratedPart } from '../moderation/moderate-stream.ts';

/** A prompt that can be sent once more with less of the history. */
export interface Retryable<Prompt> {
  /**
   * Learns from the provider's refusal, and returns a prompt with half of the history; null when nothing can be left out.
   * @param excess how many times the window the request would need; null when the provider did not say
   */
  shorten: (excess: number | null) => Retried<Prompt> | null;
}
type Retried<Prompt> = Prompt & Retryable<Prompt>;

/**
 * Asks the model, and once more with a shorter prompt if the provider refused the first for its length before any byte of
 * the reply. This is the only case in which a turn asks twice: such a refusal costs nothing.
 * @param onShortened called before the second request
 */
export async function* askAgainIfTooLong<Prompt, Part extends ModeratedPart>(
  prompt: Retried<Prompt>,
  ask: (prompt: Retried<Prompt>) => AsyncIterable<Part>,
  onShortened: () => void = () => {},
): AsyncGenerator<Part> {
  let hasBegun = false;
  let shorter: Retried<Prompt> | null = null;
  for await (const part of ask(prompt)) {
    if (part.kind === 'failure' && part.code === 'too_long' && !hasBegun)
      shorter = prompt.shorten(part.excess ?? null);
    if (shorter !== null) break;
    hasBegun = true;
    yield part;
  }
  if (shorter === null) return;
  onShortened();
  for await (const part of ask(shorter)) {
    // The next turn begins with even less.
    if (part.kind === 'failure' && part.code === 'too_long') shorter.shorten(part.excess ?? null);
    yield part;
  }
}
