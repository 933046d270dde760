{
  const { pathname, searchParams } = new URL(location.href);
  const id = searchParams.get('conversation_id') ?? pathname.match(/^\/messages\/([^/]+)$/)?.[1];
  if (id && !searchParams.has('message') && document.documentElement.dataset.who !== 'visitor') {
    const address = `/api/conversations/${encodeURIComponent(id)}?limit=50`;
    const answer = fetch(address, { credentials: 'same-origin' });
    answer.catch(() => {});
    window.earlyAnswer = { address, answer };
  }
}
