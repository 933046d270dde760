import type { Language } from '../../config/languages.ts';
import { loadTexts } from '../../locales/i18n.ts';
import type { ArchiveLabels } from './export-archive.ts';

/** Loads the labels of an archive's pages in a language. */
export async function loadArchiveLabels(language: Language): Promise<ArchiveLabels> {
  const { t } = await loadTexts(language);
  return {
    brokenOff: t('export:brokenOff'),
    contents: {
      language,
      title: t('export:title'),
      intro: t('export:intro'),
      aiNote: t('export:aiNote'),
      chats: t('export:chats'),
      noChats: t('export:noChats'),
      untitled: t('chat:fileMdUntitled'),
      lastMessage: t('export:lastMessage'),
      inTrash: t('export:inTrash'),
      forPrograms: t('export:forPrograms'),
      memory: t('chat:memoryTitle'),
      otherFiles: t('export:otherFiles'),
      account: t('export:account'),
      personas: t('export:personas'),
      points: t('export:points'),
      characters: t('export:characters'),
      pictures: t('export:pictures'),
      notHere: t('export:notHere'),
      notHereDerived: t('export:notHereDerived'),
      notHereSecret: t('export:notHereSecret'),
      missing: t('export:missing'),
      missingIntro: t('export:missingIntro'),
      notWhole: t('export:notWhole'),
      more: t('export:more'),
      moreIntro: t('export:moreIntro'),
      moreLink: t('export:moreLink'),
    },
    chat: {
      language,
      untitled: t('chat:fileMdUntitled'),
      person: t('chat:you'),
      character: t('chat:fileMdCharacter'),
      begun: t('chat:fileMdBegun'),
      saved: t('chat:fileMdExported'),
      authorNote: t('chat:authorNote'),
      persona: t('export:persona'),
      inTrash: t('export:inTrash'),
      writtenByAi: t('chat:aiWritten'),
      aiNote: t('export:aiNote'),
      edited: t('chat:edited'),
      pinned: t('chat:pinned'),
      unfinished: t('chat:fileMdUnfinished'),
      otherVersions: t('export:otherVersions'),
      memory: t('chat:memoryTitle'),
      notedByModel: t('chat:memoryByAi'),
      notedByPerson: t('chat:memoryByYou'),
      setAside: t('export:setAside'),
      deletedMessages: t('chat:trashMenu'),
      deletedAt: t('export:deletedAt'),
      keptUntil: t('export:keptUntil'),
      suggested: t('chat:suggestedList'),
      allChats: t('export:allChats'),
      picture: t('chat:pictureOff'),
      // Keep the placeholder: each picture's description is filled in later.
      pictureNamed: t('chat:pictureOffNamed', { text: '{{text}}' }),
    },
  };
}
