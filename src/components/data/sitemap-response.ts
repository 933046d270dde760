/** A sitemap as it goes out. What is not whole, because something could not be read, is kept by nobody. */
export function createSitemapResponse(
  text: string,
  { whole, status = 200 }: { whole: boolean; status?: number },
): Response {
  return new Response(text, {
    status,
    headers: {
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': whole ? 'public, max-age=3600' : 'no-store',
    },
  });
}
