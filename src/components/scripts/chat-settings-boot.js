{
  const { dataset } = document.documentElement;
  const apply = () => {
    dataset.chatSettings = '';
    try {
      const { version, choices } = JSON.parse(localStorage.getItem('chat-settings'));
      if (version === 1)
        dataset.chatSettings = Object.entries(choices)
          .map((part) => part.join('-'))
          .join(' ');
    } catch {}
  };
  apply();
  addEventListener('pageshow', apply);
  addEventListener('storage', apply);
}
