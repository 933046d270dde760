import type { Page } from '@playwright/test';
import { awake, expect } from '../../e2e/journey.ts';
import { listNumbersAt, type Place } from '../written-texts.ts';

// Checks pages for anything that could only come from a user's text.

/** What a parser finds in a page that could only come from a user's text. */
interface Found {
  elements: string[];
  handlers: string[];
  addresses: string[];
  data: number;
}

/** Checks a document, either parsed from the response or as scripts changed it. */
function inspect(root: Document): Found {
  const all = [...root.querySelectorAll('*')];
  const hasPayload = (text: string | null) => /ran\(|evil\.example/.test(text ?? '');
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
            if (one.localName === 'script')
              return type !== 'application/ld+json' && hasPayload(one.textContent);
            if (one.localName === 'style') return hasPayload(one.textContent);
            if (one.localName === 'meta') return one.getAttribute('http-equiv')?.toLowerCase() === 'refresh';
            return (
              one.getAttribute('src') === 'x' ||
              hasPayload(one.getAttribute('href')) ||
              hasPayload(one.getAttribute('action'))
            );
          })
          .map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ),
    handlers: all.flatMap((one) =>
      one
        .getAttributeNames()
        .filter((name) => /^on/i.test(name) || /[<>"'`=]/.test(name) || hasPayload(name))
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

/** Parses a page as it came over the network, without running it. */
export const lookedThrough = (page: Page, html: string): Promise<Found> =>
  page.evaluate<Found>(`(${inspect})(new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html'))`);

export const CLEAN = { elements: [], handlers: [], addresses: [] };

/** Returns all readable text of a page including fields and labels, without scripts and data. */
const readVisibleText = (page: Page): Promise<string> =>
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

/** Records everything that runs, is requested or is blocked in a page and should not be. */
async function recordExecution(page: Page): Promise<string[]> {
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

/** The checks of a page that is observed. */
export interface Watched {
  page: Page;
  /** What ran in it, was blocked or requested so far. */
  ran: readonly string[];
  /**
   * Opens a page and checks it, both as it came over the network and after its islands have loaded.
   * @param shows the place in the table whose texts the page must show, or a text, or null
   */
  opens(path: string, shows: Place | { text: string } | null): Promise<void>;
  /** Checks the current page, and that each text of the table for this place is visible. */
  harmless(place: Place | { text: string } | null): Promise<void>;
}

/** Observes a page from before it is opened. */
export async function watch(page: Page): Promise<Watched> {
  const ran = await recordExecution(page);
  const missing = async (shows: Place | { text: string }) => {
    const visibleText = await readVisibleText(page);
    if (typeof shows === 'string' && listNumbersAt(shows).length === 0)
      throw new Error(`The table has no place ${shows}`);
    const expected =
      typeof shows === 'string' ? listNumbersAt(shows).map((number) => `ran(${number})`) : [shows.text];
    return expected.filter((text) => !visibleText.includes(text));
  };
  const harmless: Watched['harmless'] = async (shows) => {
    const where = { shows, url: page.url() };
    if (shows !== null)
      await expect
        .poll(async () => ({ ...where, missing: await missing(shows) }))
        .toEqual({ ...where, missing: [] });
    const found = await page.evaluate<Found>(`(${inspect})(document)`);
    expect({ ...where, ...found }).toMatchObject({ ...where, ...CLEAN });
    expect({ ...where, ran }).toEqual({ ...where, ran: [] });
  };
  return {
    page,
    ran,
    harmless,
    async opens(path, shows) {
      const answer = await page.request.get(path);
      expect({ path, status: answer.status() }).toEqual({ path, status: 200 });
      const html = await answer.text();
      await page.goto(path);
      await awake(page);
      const found = await lookedThrough(page, html);
      expect({ path, ...found }).toMatchObject({ path, ...CLEAN });
      // Interact with the page as a reader would.
      await page.mouse.move(200, 300);
      await page.keyboard.press('Tab');
      await harmless(shows);
    },
  };
}
