import type { Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * The rules of access that the page breaks, as axe finds them, each with the elements that break it. The page is looked
 * at as it stands: no stylesheet is fetched once more, which could not be had without a network, and what others show in
 * frames is theirs.
 * @param besides rules that are not asked about, by axe's names
 */
export async function violations(page: Page, besides: readonly string[] = []): Promise<string[]> {
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
