/** The response for a sitemap. An incomplete one, after a failed read, is not cached. */
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
