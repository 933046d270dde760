import 'i18next';
import type blog from './en/blog.json';
import type character from './en/character.json';
import type chat from './en/chat.json';
import type common from './en/common.json';
import type discover from './en/discover.json';
import type errors from './en/errors.json';
import type home from './en/home.json';
import type legal from './en/legal.json';
import type mail from './en/mail.json';
import type pages from './en/pages.json';
import type shell from './en/shell.json';
import type signin from './en/signin.json';

// English is the type of every message: a key that English lacks does not compile.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      common: typeof common;
      shell: typeof shell;
      home: typeof home;
      discover: typeof discover;
      character: typeof character;
      blog: typeof blog;
      legal: typeof legal;
      pages: typeof pages;
      chat: typeof chat;
      signin: typeof signin;
      errors: typeof errors;
      mail: typeof mail;
    };
  }
}
