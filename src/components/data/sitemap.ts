import { LANGUAGES, type Language } from '../../config/languages.ts';
import { TAGS } from '../../features/character/limits.ts';
import type { SitemapPart } from '../../features/character/discovery/sitemap-store.ts';

/** A page that exists in several languages. */
export interface SitemapPage {
  /** The path after the language, with its leading slash; empty for the home page. */
  path: string;
  /** The languages that the page exists in. */
  languages: readonly Language[];
  /** Date of the last change, if known. */
  changed?: Date;
}

/** An entry of a sitemap. */
export interface SitemapEntry {
  /** Complete path on this site. */
  path: string;
  changed?: Date;
  /** The page in all its languages; set if the alternates are to be listed. */
  page?: SitemapPage;
}

/** The pages besides blog posts, characters and creators; each exists in every language. */
export const SITEMAP_PAGES: readonly SitemapPage[] = [
  '',
  '/discover',
  ...TAGS.map((tag) => `/tag/${tag}`),
  '/creator-competition',
  '/blog',
  '/safety',
  '/status',
].map((path) => ({ path, languages: LANGUAGES }));

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escapeXml = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
const formatLastmod = (date: Date | undefined): string =>
  date === undefined ? '' : `<lastmod>${date.toISOString().slice(0, 10)}</lastmod>`;

const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const renderXml = (root: string, attributes: string, lines: readonly string[]): string =>
  ['<?xml version="1.0" encoding="UTF-8"?>', `<${root}${attributes}>`, ...lines, `</${root}>`, ''].join('\n');

/** The pages that exist in a language. */
export function listEntries(lang: Language, pages: readonly SitemapPage[]): SitemapEntry[] {
  return pages
    .filter(({ languages }) => languages.includes(lang))
    .map((page) => ({
      path: `/${lang}${page.path}`,
      ...(page.changed === undefined ? {} : { changed: page.changed }),
      page,
    }));
}

/**
 * Renders a sitemap with one entry per address, including the alternates in other languages.
 * @param origin the site's origin, without a trailing slash
 */
export function renderSitemap(origin: string, entries: readonly SitemapEntry[]): string {
  const renderAlternate = (name: string, path: string): string =>
    `<xhtml:link rel="alternate" hreflang="${name}" href="${escapeXml(origin + path)}"/>`;
  const urls = entries.map(({ path, changed, page }) => {
    const alternates = page && [
      ...LANGUAGES.filter((lang) => page.languages.includes(lang)).map((lang) =>
        renderAlternate(lang, `/${lang}${page.path}`),
      ),
      // Without a language in its address, a page opens in the visitor's language.
      renderAlternate('x-default', page.path || '/'),
    ];
    return `<url><loc>${escapeXml(origin + path)}</loc>${formatLastmod(changed)}${alternates?.join('') ?? ''}</url>`;
  });
  const xhtml = entries.some(({ page }) => page) ? ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' : '';
  return renderXml('urlset', ` xmlns="${SCHEMA}"${xhtml}`, urls);
}

/** A sitemap's subject: the pages of a language, a part of its characters, or a part of the creators. */
export type SitemapFile =
  | { kind: 'pages'; lang: Language }
  | ({ kind: 'characters'; lang: Language } & PartStart)
  | ({ kind: 'creators' } & PartStart);
/** Start of a part of the catalogue, which identifies the part in an address. */
type PartStart = Pick<SitemapPart, 'after'>;

const FILE =
  /^(?:(?<lang>[a-z]{2})(?:-(?<characters>characters))?|creators)(?:-after-(?<after>0|[1-9]\d{0,14}))?$/;

/** Parses a sitemap's name; null for an unknown one. */
export function parseSitemapName(name: string): SitemapFile | null {
  const groups = FILE.exec(name)?.groups;
  if (groups === undefined) return null;
  const { lang: code, characters, after: text } = groups;
  const after = text === undefined ? null : Number(text);
  const lang = LANGUAGES.find((language) => language === code);
  if (code === undefined) return { kind: 'creators', after };
  if (lang === undefined) return null;
  if (characters !== undefined) return { kind: 'characters', lang, after };
  return text === undefined ? { kind: 'pages', lang } : null;
}

/** The part of the catalogue for a sitemap; undefined for a made-up start. */
export function findPart({ after }: PartStart, parts: readonly SitemapPart[]): SitemapPart | undefined {
  return parts.find((part) => part.after === after);
}

/** Path of a sitemap; the inverse of {@link parseSitemapName}. */
export function getSitemapPath(file: SitemapFile): string {
  const name =
    file.kind === 'pages' ? file.lang : file.kind === 'characters' ? `${file.lang}-characters` : file.kind;
  const after = file.kind === 'pages' || file.after === null ? '' : `-after-${file.after}`;
  return `/sitemaps/${name}${after}.xml`;
}

/**
 * Renders the index of all sitemaps: one per language for the pages, and for each part of the catalogue one per
 * language for the characters and one for the creators.
 */
export function renderSitemapIndex(origin: string, parts: readonly PartStart[]): string {
  const files: SitemapFile[] = [
    ...LANGUAGES.map((lang): SitemapFile => ({ kind: 'pages', lang })),
    ...parts.flatMap(({ after }): SitemapFile[] => [
      ...LANGUAGES.map((lang): SitemapFile => ({ kind: 'characters', lang, after })),
      { kind: 'creators', after },
    ]),
  ];
  const lines = files.map(
    (file) => `<sitemap><loc>${escapeXml(origin + getSitemapPath(file))}</loc></sitemap>`,
  );
  return renderXml('sitemapindex', ` xmlns="${SCHEMA}"`, lines);
}
