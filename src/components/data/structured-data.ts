import { BRAND } from '../../config/brand.ts';
import { type Language } from '../../config/languages.ts';
import type { CharacterDetail, CreatorProfile } from '../../features/character/contract.ts';
import type { PublicCharacter } from './public-character.ts';

/** What the vocabulary of schema.org calls a thing; what is undefined is left out. */
export interface JsonLdNode {
  '@type': string;
  [property: string]: unknown;
}

/** Where a page is. */
export interface PageLocation {
  /** Of the site, without a slash at its end. */
  origin: string;
  lang: Language;
}

/** What could end a script element or begin another, and what some readers take for the end of a line. */
const UNSAFE_CHARACTERS = /[<>&\u2028\u2029]/g;

/**
 * Things as the text of a data block. Whatever people called themselves and theirs, it stays within the element: marks
 * that a page could take for its own are written as JSON's escapes.
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

/** The site, and how it is searched. */
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
 * The way from the home page to a page.
 * @param steps from home to the page itself, with their paths behind the language, or `at` for one without
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

/** An article of the blog. */
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

/** How often something was talked with. */
const buildChatCounter = (count: number) => ({
  '@type': 'InteractionCounter',
  interactionType: 'https://schema.org/CommunicateAction',
  userInteractionCount: count,
});

/**
 * A character: a work of somebody's, with a person of fiction in it. It is never a person itself: nobody is to be told
 * that somebody lives who does not.
 * @param face what the page tells of it
 * @param keywords its tags, in words
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

/** Somebody who makes characters, as their page tells of them. */
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
