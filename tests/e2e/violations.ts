import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** Waits until what fades in or changes its colour is as it will stay: what comes is not what people read. */
const drawn = (page: Page) =>
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
 * The rules of access that the page breaks, as axe finds them, each with the elements that break it. The page is looked
 * at as it stands: no stylesheet is fetched once more, which could not be had without a network, and what others show in
 * frames is theirs.
 * @param besides rules that are not asked about, by axe's names
 */
export async function violations(page: Page, besides: readonly string[] = []): Promise<string[]> {
  await drawn(page);
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (disabled) => {
    const { violations: found } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      preload: false,
      iframes: false,
      rules: Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }])),
    });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, besides);
}
