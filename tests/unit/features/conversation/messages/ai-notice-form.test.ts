import { describe, expect, test } from 'vitest';
import file from '../../../../../data/ai-notice-regions.json' with { type: 'json' };
import {
  getAiNoticeForm,
  needsBoldNotice,
  readNetworkPlace,
} from '../../../../../src/features/conversation/messages/ai-notice-form.ts';
import { aiNoticeRegionsFile } from '../../../../../src/features/conversation/messages/ai-notice-regions-schema.ts';

const TODAY = '2026-11-30T12:00:00.000Z';
const inNewYork = { country: 'US', region: 'NY' };

const createRequest = (country: string | null, regionCode?: unknown) => ({
  headers: new Headers(country === null ? {} : { 'cf-ipcountry': country }),
  cf: regionCode === undefined ? undefined : ({ regionCode } as unknown as Request['cf']),
});

describe('data/ai-notice-regions.json', () => {
  test('the file is valid and names each law once', () => {
    const { laws } = aiNoticeRegionsFile.parse(file);
    const names = laws.map(({ country, region, law }) => `${country}-${region} ${law}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('a law that asks for bold capitals names a country that Cloudflare reports', () => {
    for (const { country, bold } of file.laws) if (bold) expect(country).not.toBe('EU');
  });
});

describe('Form of the AI notice', () => {
  test('the notice is bold for everyone unless the operator chooses regions', () => {
    for (const country of [null, 'US', 'DE'])
      expect(needsBoldNotice('everywhere', { country, region: null }, TODAY)).toBe(true);
  });

  test.each([
    ['in New York', inNewYork, true],
    ['in California, whose law names no form', { country: 'US', region: 'CA' }, false],
    ['in a state without a law', { country: 'US', region: 'TX' }, false],
    ['in an unknown state', { country: 'US', region: null }, true],
    ['in Germany', { country: 'DE', region: 'BE' }, false],
    ['in Germany, with an unknown region', { country: 'DE', region: null }, false],
    ['in a region of another country with the same code', { country: 'AU', region: 'NY' }, false],
    ['in an unknown country', { country: null, region: null }, true],
    ['in an unknown country with a region', { country: null, region: 'TX' }, true],
  ])('by region, the notice %s is bold: %o → %s', (_, place, isBold) => {
    expect(needsBoldNotice('by_region', place, TODAY)).toBe(isBold);
  });

  test('a law asks for bold capitals from its first day on', () => {
    expect(needsBoldNotice('by_region', inNewYork, '2025-11-04T23:59:59.999Z')).toBe(false);
    expect(needsBoldNotice('by_region', inNewYork, '2025-11-05T00:00:00.000Z')).toBe(true);
  });

  test('a law of a whole country applies in each of its regions', () => {
    const laws = [{ country: 'DE', region: null, from: '2026-01-01' }];
    expect(needsBoldNotice('by_region', { country: 'DE', region: 'BE' }, TODAY, laws)).toBe(true);
    expect(needsBoldNotice('by_region', { country: 'FR', region: null }, TODAY, laws)).toBe(false);
  });

  test.each([
    ['US', 'ny', { country: 'US', region: 'NY' }],
    ['us', undefined, { country: 'US', region: null }],
    ['XX', 'NY', { country: null, region: 'NY' }],
    ['T1', undefined, { country: null, region: null }],
    [null, 'TX', { country: null, region: 'TX' }],
    ['DE', 'Berlin!', { country: 'DE', region: null }],
    ['DE', 7, { country: 'DE', region: null }],
  ])('a request from %o with the region %o comes from %o', (country, region, place) => {
    expect(readNetworkPlace(createRequest(country, region))).toEqual(place);
  });

  test('a request without a country, as on one machine, gets the bold form in both modes', () => {
    const now = Date.parse(TODAY);
    expect(getAiNoticeForm('by_region', createRequest(null, 'TX'), now)).toBe('bold');
    expect(getAiNoticeForm('by_region', createRequest('US', 'TX'), now)).toBe('calm');
    expect(getAiNoticeForm('everywhere', createRequest('US', 'TX'), now)).toBe('bold');
  });
});
