import { inLanguage } from ".";
import { lobby as en } from "./en/lobby";

export const lobbyWords = inLanguage({ en });
