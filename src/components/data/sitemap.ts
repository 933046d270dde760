import { LANGUAGES, type Language } from '../../config/languages.ts';
import type { SitemapPart } from '../../features/character/discovery/sitemap-store.ts';

/** One page that exists in several languages. */
export interface SitemapPage {
  /** The address behind the language, with its slash; empty for home. */
  path: string;
  /** The languages it is written in. */
  languages: readonly Language[];
  /** When its words last changed, if that is known. */
  changed?: Date;
}

/** One address. */
export interface SitemapEntry {
  /** Of this site, whole. */
  path: string;
  changed?: Date;
  /** The page that it is one language of, where its other languages are to be named. */
  page?: SitemapPage;
}

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

/** Pages in one of their languages; those that are not written in it are left out. */
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
 * A sitemap: every address once, with those of its other languages where it has a page.
 * @param origin where the site is served, without a slash at its end
 */
export function renderSitemap(origin: string, entries: readonly SitemapEntry[]): string {
  const renderAlternate = (name: string, path: string): string =>
    `<xhtml:link rel="alternate" hreflang="${name}" href="${escapeXml(origin + path)}"/>`;
  const urls = entries.map(({ path, changed, page }) => {
    const alternates = page && [
      ...LANGUAGES.filter((lang) => page.languages.includes(lang)).map((lang) =>
        renderAlternate(lang, `/${lang}${page.path}`),
      ),
      // Without a language in its address, a page leads to the visitor's own.
      renderAlternate('x-default', page.path || '/'),
    ];
    return `<url><loc>${escapeXml(origin + path)}</loc>${formatLastmod(changed)}${alternates?.join('') ?? ''}</url>`;
  });
  const xhtml = entries.some(({ page }) => page) ? ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' : '';
  return renderXml('urlset', ` xmlns="${SCHEMA}"${xhtml}`, urls);
}

/** Which sitemap an address names: the pages of a language, a part of its characters, or of those who made them. */
export type SitemapFile =
  | { kind: 'pages'; lang: Language }
  | ({ kind: 'characters'; lang: Language } & PartStart)
  | ({ kind: 'creators' } & PartStart);
/** Where a part of the catalogue begins, which alone its address names. */
type PartStart = Pick<SitemapPart, 'after'>;

const FILE =
  /^(?:(?<lang>[a-z]{2})(?:-(?<characters>characters))?|creators)(?:-after-(?<after>0|[1-9]\d{0,14}))?$/;

/** Reads the name of a sitemap; null for none of ours. */
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

/** The part of the catalogue that a sitemap is of; undefined for none: where one begins can be made up by anybody. */
export function findPart({ after }: PartStart, parts: readonly SitemapPart[]): SitemapPart | undefined {
  return parts.find((part) => part.after === after);
}

/** Where a sitemap is; what {@link parseSitemapName} reads. */
export function getSitemapPath(file: SitemapFile): string {
  const name =
    file.kind === 'pages' ? file.lang : file.kind === 'characters' ? `${file.lang}-characters` : file.kind;
  const after = file.kind === 'pages' || file.after === null ? '' : `-after-${file.after}`;
  return `/sitemaps/${name}${after}.xml`;
}

/**
 * The list of all sitemaps: one for the pages of each language, and for each part of the catalogue one a language and one
 * for those who made what is in it.
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
