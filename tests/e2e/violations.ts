import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** Waits until opacity and colour animations end, because contrast during an animation does not count. */
const waitForAnimations = (page: Page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect, playState }) => {
          const ends = Number.isFinite(effect?.getComputedTiming().endTime);
          const frames = effect instanceof KeyframeEffect ? effect.getKeyframes() : [];
          return (
            ends &&
            playState === 'running' &&
            frames.some((frame) => /opacity|color/i.test(Object.keys(frame).join(' ')))
          );
        })
        .map(({ finished }) => finished),
    ).then(() => undefined),
  );

/**
 * Runs axe and returns the broken accessibility rules, each with its elements. Axe neither loads stylesheets again, which
 * would fail offline, nor checks frames, whose content belongs to others.
 * @param ignoredRules ids of axe rules that are not checked
 */
export async function violations(page: Page, ignoredRules: readonly string[] = []): Promise<string[]> {
  await waitForAnimations(page);
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (disabled) => {
    const { violations: found } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      preload: false,
      iframes: false,
      rules: Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }])),
    });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, ignoredRules);
}
