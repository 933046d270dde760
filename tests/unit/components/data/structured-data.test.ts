import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CharacterDetail, CreatorProfile } from '../../../../src/features/character/contract.ts';
import {
  buildBreadcrumbs,
  buildCreativeWork,
  buildProfilePage,
  serializeJsonLd,
  buildWebSite,
} from '../../../../src/components/data/structured-data.ts';

const site = { origin: 'https://a.example', lang: 'de' } as const;
const HOSTILE = '</script><script>alert(1)</script><!-- ]]> &lt; \u2028\u2029 " \\u003c';

const character = (name: string): Parameters<typeof buildCreativeWork>[0] => ({
  ...site,
  character: {
    id: '01/é',
    avatar_url: '/media/x.webp',
    chat_count: 3,
    creator: { id: '02', name },
    created_at: '2026-01-01T00:00:00.000Z',
  } satisfies Partial<CharacterDetail>,
  face: { name, oneliner: name, summary: null },
  keywords: [name],
});

describe('Structured data', () => {
  test('structured data cannot close its script element, whatever names it contains', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constant(HOSTILE)), (name) => {
        const creator: CreatorProfile = {
          id: name,
          name,
          avatar_url: null,
          character_count: 1,
          chat_count: 2,
          more_than_counted: false,
          joined_at: '2026-01-01T00:00:00.000Z',
          characters: { items: [], next_cursor: null },
        };
        const text = serializeJsonLd([
          buildCreativeWork(character(name)),
          buildProfilePage({ origin: site.origin, creator }),
          buildBreadcrumbs(site, [{ name, path: '' }]),
        ]);
        expect(text).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(text)['@graph'][0].name).toBe(name);
      }),
    );
  });

  test('a character is described as a creative work and not as a living person', () => {
    const work = buildCreativeWork(character('Mira'));
    expect(work).toMatchObject({
      '@type': 'CreativeWork',
      name: 'Mira',
      url: 'https://a.example/de/character-info/01%2F%C3%A9',
      image: 'https://a.example/media/x.webp',
      creator: { '@type': 'Person', url: 'https://a.example/creator/02' },
      interactionStatistic: { userInteractionCount: 3 },
    });
  });

  test('the description of a character is its summary, or else its tagline', () => {
    const { character: detail, face, ...rest } = character('Mira');
    const describeWith = (summary: string | null) =>
      buildCreativeWork({
        ...rest,
        character: detail,
        face: { ...face, oneliner: 'Keeps a light.', summary },
      })['description'];
    expect(describeWith('Of the last lighthouse, and whoever keeps it.')).toBe(
      'Of the last lighthouse, and whoever keeps it.',
    );
    expect(describeWith(null)).toBe('Keeps a light.');
  });

  test('breadcrumbs list the path from the home page with the address of each step', () => {
    expect(
      buildBreadcrumbs(site, [
        { name: 'Home', path: '' },
        { name: 'Wren', at: '/creator/02' },
      ])['itemListElement'],
    ).toEqual([
      { '@type': 'ListItem', position: 1, name: 'Home', item: 'https://a.example/de' },
      { '@type': 'ListItem', position: 2, name: 'Wren', item: 'https://a.example/creator/02' },
    ]);
  });

  test('the site names its search address in its language', () => {
    expect(buildWebSite({ ...site, description: 'Stories' })).toMatchObject({
      '@type': 'WebSite',
      url: 'https://a.example/de',
      potentialAction: {
        '@type': 'SearchAction',
        target: { urlTemplate: 'https://a.example/de/discover?q={search_term_string}' },
      },
    });
  });
});
