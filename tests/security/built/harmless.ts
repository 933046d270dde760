import type { Page } from '@playwright/test';
import { awake, expect } from '../../e2e/journey.ts';
import { numbersAt, type Place } from '../written-texts.ts';

// Looking through pages for what could only have come out of somebody's text.

/** What parsers make of a page: whatever of it could only have come out of one of the texts. */
interface Found {
  elements: string[];
  handlers: string[];
  addresses: string[];
  data: number;
}

/** Looks through a document, whether it was parsed as it came or is what scripts made of it. */
function look(root: Document): Found {
  const all = [...root.querySelectorAll('*')];
  const inside = (text: string | null) => /ran\(|evil\.example/.test(text ?? '');
  const addresses = [
    'href',
    'src',
    'action',
    'formaction',
    'srcset',
    'poster',
    'data',
    'content',
    'srcdoc',
    'xlink:href',
    'background',
    'style',
  ];
  return {
    elements: all
      .filter(({ localName }) => ['iframe', 'object', 'embed', 'base', 'frame', 'applet'].includes(localName))
      .map(({ outerHTML }) => outerHTML.slice(0, 100))
      .concat(
        all
          .filter((one) => ['script', 'style', 'meta', 'link', 'img', 'svg', 'form'].includes(one.localName))
          .filter((one) => {
            const type = one.getAttribute('type');
            if (one.localName === 'script') return type !== 'application/ld+json' && inside(one.textContent);
            if (one.localName === 'style') return inside(one.textContent);
            if (one.localName === 'meta') return one.getAttribute('http-equiv')?.toLowerCase() === 'refresh';
            return (
              one.getAttribute('src') === 'x' ||
              inside(one.getAttribute('href')) ||
              inside(one.getAttribute('action'))
            );
          })
          .map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ),
    handlers: all.flatMap((one) =>
      one
        .getAttributeNames()
        .filter((name) => /^on/i.test(name) || /[<>"'`=]/.test(name) || inside(name))
        .map((name) => `${one.localName} ${name}`),
    ),
    addresses: all.flatMap((one) =>
      addresses
        .map((name) => [name, one.getAttribute(name)] as const)
        .filter(
          ([name, value]) =>
            value !== null &&
            (/^\s*(?:javascript|vbscript|data:text)/i.test(value) ||
              (name !== 'content' &&
                /^(?:https?:)?\/\/evil\.example/.test(value) &&
                !(one.localName === 'a' && one.getAttribute('rel')?.includes('noopener') === true))),
        )
        .map(([name, value]) => `${one.localName} ${name}=${value?.slice(0, 80)}`),
    ),
    data: [...root.querySelectorAll('script[type="application/ld+json"]')].map(
      (one) => JSON.parse(one.textContent ?? '') as unknown,
    ).length,
  };
}

/** What a parser makes of a page as it came over the wire; nothing of it runs. */
export const lookedThrough = (page: Page, html: string): Promise<Found> =>
  page.evaluate<Found>(`(${look})(new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html'))`);

export const CLEAN = { elements: [], handlers: [], addresses: [] };

/** All that can be read on a page, in its fields and names too; not its scripts and data. */
const inSight = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const body = document.body.cloneNode(true) as HTMLElement;
    for (const unseen of body.querySelectorAll('script, style, template')) unseen.remove();
    return [
      document.title,
      body.textContent,
      ...[...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value),
      ...[...document.querySelectorAll('[aria-label], [alt], [title]')].map(
        (one) => `${one.getAttribute('aria-label')} ${one.getAttribute('alt')} ${one.getAttribute('title')}`,
      ),
    ].join('\n');
  });

/** A page that tells when something runs in it that it did not bring. */
async function listen(page: Page): Promise<string[]> {
  const ran: string[] = [];
  await page.exposeFunction('ran', (which: unknown) => void ran.push(`ran ${String(which)}`));
  page.on('dialog', (dialog) => {
    ran.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (/evil\.example|\/x$/.test(request.url())) ran.push(`asked ${request.url()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      void (window as unknown as { ran: (which: string) => void }).ran(
        `refused ${event.violatedDirective} ${event.blockedURI}`,
      );
    });
  });
  return ran;
}

/** What can be asked of a page that is watched. */
export interface Watched {
  page: Page;
  /** What ran in it, was refused or asked for, so far. */
  ran: readonly string[];
  /**
   * Opens a page and looks through it, as it came over the wire and as it stands when its islands are awake.
   * @param shows the place of the table whose texts stand there, or a text; null where none has to
   */
  opens(path: string, shows: Place | { text: string } | null): Promise<void>;
  /** Looks through what stands there now, and at whether each text that the table names for the place is in sight. */
  harmless(place: Place | { text: string } | null): Promise<void>;
}

/** A page that is watched from before it is opened. */
export async function watch(page: Page): Promise<Watched> {
  const ran = await listen(page);
  const missing = async (shows: Place | { text: string }) => {
    const seen = await inSight(page);
    if (typeof shows === 'string' && numbersAt(shows).length === 0)
      throw new Error(`The table has no place ${shows}`);
    const wanted =
      typeof shows === 'string' ? numbersAt(shows).map((number) => `ran(${number})`) : [shows.text];
    return wanted.filter((text) => !seen.includes(text));
  };
  const harmless: Watched['harmless'] = async (shows) => {
    const where = { shows, url: page.url() };
    if (shows !== null)
      await expect
        .poll(async () => ({ ...where, missing: await missing(shows) }))
        .toEqual({ ...where, missing: [] });
    const found = await page.evaluate<Found>(`(${look})(document)`);
    expect({ ...where, ...found }).toMatchObject({ ...where, ...CLEAN });
    expect({ ...where, ran }).toEqual({ ...where, ran: [] });
  };
  return {
    page,
    ran,
    harmless,
    async opens(path, shows) {
      const answer = await page.request.get(path);
      // Staff's rooms are not there for anybody, until whoever opens one turns out to be staff.
      const status = path.startsWith('/admin-') ? 404 : 200;
      expect({ path, status: answer.status() }).toEqual({ path, status });
      const html = await answer.text();
      await page.goto(path);
      await awake(page);
      const found = await lookedThrough(page, html);
      expect({ path, ...found }).toMatchObject({ path, ...CLEAN });
      // Touched, as somebody would who reads it.
      await page.mouse.move(200, 300);
      await page.keyboard.press('Tab');
      await harmless(shows);
    },
  };
}
