{
  const list = document.querySelector('[data-ends]');
  if (list) list.scrollTop = list.scrollHeight;
}
