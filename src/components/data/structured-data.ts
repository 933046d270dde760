import { BRAND } from '../../config/brand.ts';
import { type Language } from '../../config/languages.ts';
import type { CharacterDetail, CreatorProfile } from '../../features/character/contract.ts';
import type { PublicCharacter } from './public-character.ts';

/** A schema.org node; undefined properties are omitted. */
export interface JsonLdNode {
  '@type': string;
  [property: string]: unknown;
}

/** Origin and language of a page. */
export interface PageLocation {
  /** The site's origin, without a trailing slash. */
  origin: string;
  lang: Language;
}

/** Characters that could end or begin a script element, and line separators that some parsers mishandle. */
const UNSAFE_CHARACTERS = /[<>&\u2028\u2029]/g;

/**
 * Serializes nodes for a JSON-LD script element. User texts cannot end the element, because unsafe characters are
 * written as JSON escapes.
 */
export function serializeJsonLd(data: JsonLdNode | readonly JsonLdNode[]): string {
  const graph = { '@context': 'https://schema.org', ...(Array.isArray(data) ? { '@graph': data } : data) };
  return JSON.stringify(graph).replaceAll(
    UNSAFE_CHARACTERS,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const buildOrganization = (origin: string): JsonLdNode => ({
  '@type': 'Organization',
  name: BRAND.name,
  url: origin,
});

/** The site with its search action. */
export function buildWebSite({
  origin,
  lang,
  description,
}: PageLocation & { description: string }): JsonLdNode {
  const home = `${origin}/${lang}`;
  return {
    '@type': 'WebSite',
    name: BRAND.name,
    url: home,
    description,
    inLanguage: lang,
    publisher: buildOrganization(origin),
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${home}/discover?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
}

/**
 * Breadcrumbs from the home page to a page.
 * @param steps from home to the page, with paths after the language, or `at` for an address without one
 */
export function buildBreadcrumbs(
  { origin, lang }: PageLocation,
  steps: readonly ({ name: string; path: string } | { name: string; at: string })[],
): JsonLdNode {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: step.name,
      item: origin + ('at' in step ? step.at : `/${lang}${step.path}`),
    })),
  };
}

/** A blog post. */
export function buildBlogPosting({
  origin,
  post,
  keywords,
}: PageLocation & {
  post: {
    slug: string;
    lang: Language;
    title: string;
    description: string;
    published: Date;
    updated: Date | null;
  };
  keywords: readonly string[];
}): JsonLdNode {
  return {
    '@type': 'BlogPosting',
    headline: post.title,
    description: post.description,
    inLanguage: post.lang,
    datePublished: post.published.toISOString(),
    dateModified: (post.updated ?? post.published).toISOString(),
    keywords: keywords.join(', '),
    mainEntityOfPage: `${origin}/${post.lang}/blog/${post.slug}`,
    author: buildOrganization(origin),
    publisher: buildOrganization(origin),
  };
}

/** The number of chats as an interaction counter. */
const buildChatCounter = (count: number) => ({
  '@type': 'InteractionCounter',
  interactionType: 'https://schema.org/CommunicateAction',
  userInteractionCount: count,
});

/**
 * A character as a creative work about a fictional person. Never a schema.org `Person`: that would claim
 * that a real person exists.
 * @param face the public texts
 * @param keywords names of its tags
 */
export function buildCreativeWork({
  origin,
  lang,
  character,
  face,
  keywords,
}: PageLocation & {
  character: Pick<CharacterDetail, 'id' | 'avatar_url' | 'chat_count' | 'creator' | 'created_at'>;
  face: Pick<PublicCharacter, 'name' | 'oneliner' | 'summary'>;
  keywords: readonly string[];
}): JsonLdNode {
  const { creator } = character;
  return {
    '@type': 'CreativeWork',
    name: face.name,
    description: face.summary ?? face.oneliner,
    url: `${origin}/${lang}/character-info/${encodeURIComponent(character.id)}`,
    image: origin + character.avatar_url,
    dateCreated: character.created_at,
    isAccessibleForFree: true,
    keywords: keywords.length > 0 ? keywords.join(', ') : undefined,
    creator: {
      '@type': 'Person',
      name: creator.name,
      url: `${origin}/creator/${encodeURIComponent(creator.id)}`,
    },
    character: { '@type': 'Person', name: face.name },
    interactionStatistic: buildChatCounter(character.chat_count),
  };
}

/** A creator's profile page. */
export function buildProfilePage({
  origin,
  creator,
}: {
  origin: string;
  creator: Pick<
    CreatorProfile,
    'id' | 'name' | 'avatar_url' | 'joined_at' | 'character_count' | 'chat_count'
  >;
}): JsonLdNode {
  return {
    '@type': 'ProfilePage',
    dateCreated: creator.joined_at,
    mainEntity: {
      '@type': 'Person',
      identifier: creator.id,
      name: creator.name,
      url: `${origin}/creator/${encodeURIComponent(creator.id)}`,
      image: creator.avatar_url === null ? undefined : origin + creator.avatar_url,
      agentInteractionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/WriteAction',
        userInteractionCount: creator.character_count,
      },
      interactionStatistic: buildChatCounter(creator.chat_count),
    },
  };
}
