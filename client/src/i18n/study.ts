import { inLanguage } from ".";
import { study as en } from "./en/study";

export const studyWords = inLanguage({ en });
