import { type OptOutRules, patterns } from './rules.js';

const lists = {
  msg: 'messages?|sms|textos?|textes?|mails?|e ?mails?|courriels?|newsletters?|notifications?|rappels|alertes?|pubs?|publicites?|spams?|appels?|infolettres?|relances?|sollicitations?|mms',
  act: 'envoyer|envois|ecrire|contacter|appeler|harceler|texter|relancer|deranger|spammer|solliciter|telephoner|importuner|embeter|adresser|menvoyer|mecrire|mappeler|menvoier|mimportuner|membeter|mharceler|nous envoyer',
  imp: 'menvoyez|menvoie|menvoies|mecrivez|mecris|mappelez|mappelle|mappelles|me contactez|me contacte|me contactes|me telephonez|me textez|me texte|me derangez|me derange|me harcelez|me relancez|me sollicitez|mimportunez|me spammez|membetez|me mandez|menvoye|nous envoyez|nous contactez|nous appelez|madressez|me joignez',
};

export const french: OptOutRules = {
  says: patterns(
    lists,
    String.raw`\b(?:arretez|arrete|arreter|arretes|cessez|cesse|cesser|stoppez|stoppe|stop|finissez)(?: (?:svp|maintenant|immediatement|donc|tout de suite|sil vous plait|sil te plait|avec|tous|tout))* (?:de |d)?(?:me |m|nous |tous |les |vos |ces |tes |le |lenvoi |denvoyer |a |aux |des |cet |votre |avec |les envois |vos envois |lenvoi de |ses )*(?:{act}|{msg}|denvoyer|envoi)\b`,
    String.raw`(?:^|\b(?:merci|svp|plait|et|donc|alors|bonjour|maintenant|desormais|mais|non|stop|ok|assez) )(?:ne |n)?(?:{imp})(?: (?:surtout|svp))* (?:plus|jamais|pas|rien|aucun)\b`,
    String.raw`(?:^|\b(?:merci|svp|plait|et|bonjour|mais|non|donc) )nenvoyez (?:plus|jamais|pas)(?: (?:aucun|jamais|plus|de|d|vos|ces|dautres))* (?:rien|a ce numero|{msg})\b`,
    String.raw`\b(?:ne|n) (?:plus|pas|jamais) (?:me |m|nous |etre )?(?:{act}|recontacter|contacte|appele|sollicite|derange|recevoir|envoyer)\b`,
    String.raw`\b(?:merci|veuillez|priere|demande|demandons|souhaite|voudrais|exige|prie)(?: (?:de|d|bien vouloir|vous|je|nous|a|que vous))* (?:ne plus|ne pas|arreter|cesser|stopper|me desabonner|me desinscrire|me retirer|me supprimer|me rayer|me desabonner)\b(?: \w+){0,5}? ?(?:{msg}|{act}|liste\w*|contacter|desabonner|desinscrire|recevoir|fichier\w*|envois?)?`,
    String.raw`\b(?:je|j|on|nous) (?:ne |n)?(?:veux|veut|voulons|souhaite|souhaitons|desire|desirons|accepte|tiens|voudrais|souhaiterais)(?: (?:vraiment|absolument|surtout))* (?:plus|pas|aucun|jamais)(?: (?:du tout|jamais|a))*(?: (?:recevoir|avoir|lire|voir|etre|que vous|quon|que lon|de|d|vos|ces|tes|aucun|des|autres|dautres|tous|me|m|les|votre|par|plus|cette|ce|rien|entendre|jamais|tout))* ?(?:{msg}|{act}|contactee?|appelee?|sollicitee?|derangee?|importunee?|mappeliez|menvoyiez|mecriviez|contactiez|derangiez|mappelle|menvoie|mecrive|me contacte|parler de vous|relancee?|harcelee?)\b`,
    String.raw`\b(?:je|j) (?:ne |n)?(?:veux|souhaite|desire|voudrais|aimerais)(?: (?:bien|donc))* (?:arreter|cesser|stopper|annuler|supprimer|resilier)(?: (?:de|les|vos|ces|recevoir|la|lenvoi|reception|des|mes|tous|mon|labonnement|abonnement|a|aux|d))* (?:{msg})\b`,
    String.raw`\b(?:retirez|retire|retirer|enlevez|enleve|enlever|supprimez|supprime|supprimer|effacez|efface|effacer|rayez|raye|rayer|otez|virez|eliminez|oubliez|oublie|desactivez)(?: (?:svp|donc|moi|nous|definitivement))* ?(?:moi|mon (?:numero|nom|mail|email|adresse|portable|contact)|mes (?:coordonnees|donnees|infos|informations)|ce numero|nous)\b`,
    String.raw`\b(?:desabonn\w+|desinscri\w+|me desabonner|me desinscrire|desabonnement|desinscription|desabonne)\b`,
    String.raw`\b(?:laissez|laisse|fichez|fiche|foutez|fous|lachez|lache|laissez donc)(?: (?:donc|moi|nous|un peu))* (?:tranquille|en paix|la paix|la grappe)\b`,
    String.raw`\b(?:retire|revoque|reprends|annule)(?: (?:par la presente|donc))* mon (?:consentement|accord|autorisation)\b`,
    String.raw`\b(?:annulez|annuler|jannule|resiliez|resilier|je resilie|arretez|stoppez|supprimez|terminez|desactivez|coupez)(?: (?:svp|mon|mes|cet|l|les|ces|vos|tous|ma|la))* (?:abonnement|labonnement|souscription|{msg})\b`,
    String.raw`^(?:(?:stop|svp|merci|non|sil vous plait|bonjour|je veux|ok|allez) )*(?:plus (?:de|aucun|daucun|jamais de|un seul)|assez (?:de|d)|aucun|pas de|marre de|halte aux?|stop aux|stop a|fini les|basta les|y en a marre de|non aux)(?: (?:ces|vos|tous|autres?|nouveaux?|tes|ce genre de|mes|plus de|cette|toutes?))* ?(?:{msg})\b`,
    '^(?:(?:svp|merci|maintenant|vous pouvez|pouvez vous|peux tu|bonjour|sil|vous|plait|mais|s il|te|ca|on) )*(?:stop|arretez|arrete|arreter|cessez|stoppez)(?: (?:svp|merci|maintenant|tout|ca|cela|tout de suite|immediatement|sil|vous|te|plait|s il|de suite|un peu|la|donc))*$',
    String.raw`\bje (?:moppose|refuse|minterdis)(?: (?:de|a|tout|toute|tous|vos|desormais|recevoir|les|ces|d))* (?:{msg}|contact|{act}|prospection|demarchage)\b`,
    String.raw`\bplus rien (?:recevoir|de votre part)\b|\bne plus rien recevoir\b|\bveux plus (?:rien |jamais )?(?:recevoir|entendre parler)`,
  ),
  hints: patterns(
    lists,
    String.raw`\b(?:mauvais|faux|pas le bon) numero\b|\btrompe\w* de numero\b|\berreur de numero\b`,
    String.raw`^(?:(?:ca|ok|bon|la) )*(?:suffit|ca suffit|assez|basta|spam|degagez|degage|cassez vous|allez vous faire \w+|fini|plus rien|jen ai marre|marre|jen peux plus)(?: (?:maintenant|svp|merci))*$`,
    String.raw`\bcomment\b(?: \w+){0,5}? (?:desabonn\w*|desinscri\w*|(?:arreter|stopper|annuler|supprimer|resilier|ne plus)\b.*\b(?:recevoir|{msg}|abonnement|ca))\b`,
    String.raw`\b(?:marre|trop|ras le bol|fatigue|fatiguee|assez|agacant|lasse)\b(?: \w+){0,3}? ?(?:{msg})\b`,
    String.raw`\b(?:bloque|signale|bloquer|vais bloquer|vais signaler)\b(?: \w+){0,2}? (?:numero|vous|spam|expediteur)\b`,
    String.raw`\bje n?ai (?:jamais|pas|rien) (?:demande|accepte|souscrit|consenti|donne mon accord)\b`,
  ),
  never: patterns(
    lists,
    String.raw`\b(?:ne|n) ?(?:arretez|arrete|arreter|arretes|arretons|cessez|cesse|cesser|stoppez|desabonnez|desinscrivez|supprimez|retirez|me desabonnez|marretez|me desinscrivez|me retirez|me supprimez|me laissez|laissez|me laisse|annulez)\w* (?:pas|jamais|surtout|plus)\b|\bn(?:arrete\w*|annule\w*)\b|\bne (?:cesse\w*|supprime\w*|retire\w*|stoppe\w*) \w+`,
    String.raw`\b(?:veux|souhaite|voudrais|faut|desire) (?:surtout )?pas (?:que vous )?(?:arret\w*|cess\w*|desabonn\w*|desinscri\w*|me desabonner|me desinscrire|stopp\w*|annul\w*|rater|manquer|perdre|vous deranger|deranger)\b`,
    String.raw`\b(?:vous|tu|il|elle|on|ils|elles|personne|qui) (?:ne |n)?(?:me |m|nous )(?:\w+) (?:plus|pas|jamais|rien)\b`,
    String.raw`\b(?:je|on|nous|j) (?:ne |n)?(?:recois|recoit|recevons|ai|avons|trouve|vois|comprends|recu|peux|sais|retrouve)(?: (?:toujours|encore|pourtant))* (?:plus|pas|aucun|jamais)\b`,
    String.raw`\b(?:pourquoi|depuis|quand|apres que)\b(?: \w+){0,5}? (?:plus|arrete|cesse|stoppe|pas|desabonnee?|desinscrite?)\b`,
    String.raw`\b(?:envoyez|envoie|donnez|voudrais|veux|recevoir|avoir|obtenir|souhaite|aimerais)(?<!\bne \w+)(?: (?:moi|nous|svp|bien|recevoir|avoir))* plus (?:de|d)\b(?! (?:vos|tes|ces))`,
    String.raw`^(?:il n?y a|y a|il ny a|je nai) (?:plus|pas|aucun)\b`,
    String.raw`\b(?:arreter|arrete|arretez|cesser|cessez|annuler|annulez|supprimer|retirer|retirez|enlever|enlevez|stopper|desinscri\w*|desabonn\w*|supprimez|effacez)\b.*\b(?:traitement|medicaments?|comprimes?|cigarette|fumer|rendez vous|rdv|liste dattente|cours|platre|points|dent|pilule|saignements?|douleur|antibiotiques?|seance|fils|gym|salle|cantine|magazine|journal)\b`,
    String.raw`\b(?:dit|demande|demander|dire|prie) (?:a (?:mon|ma|mes) \w+|a \w+|lui|leur) (?:de|d) (?:arreter|ne|cesser|marreter)`,
    String.raw`\b(?:lui|leur) (?:ai |avoir )?(?:dit|demande)\b`,
    String.raw`\b(?:ex|mari|femme|voisin|chef|patron|fils|fille|copain|il|elle)\b(?: \w+){0,3}? (?:narrete|ne me laisse|me harcele|ne cesse|narretait)\b`,
    String.raw`\b(?:ne|n) (?:me |nous )?(?:laissez|laisse)\b`,
    String.raw`\bpas de (?:{msg})(?: (?:ce|cette|hier|aujourdhui|pour linstant|recu|depuis|de (?!votre|vous|votre part)|encore|arrive|du))`,
    String.raw`\barret (?:de bus|maladie|de travail|du bus)\b|\ben arret\b`,
    String.raw`\bpour vous (?:desabonner|desinscrire)\b|\bse desabonner\b|\bcliquez\b`,
  ),
  doubts: patterns(
    lists,
    String.raw`\b(?:avant|apres|la nuit|le matin|le soir|pendant|aujourdhui|demain|ce soir|ce matin|quand|lorsque|si|jusqu\w*|le week ?end|dimanches?|samedis?|lundis?|vendredis?|en ce moment|plutot|par (?:courrier|lettre|fax)|sur mon fixe|au travail|aussi (?:souvent|tot|tard)|trop (?:tot|tard|souvent)|entre|tant que|a propos|concernant|au sujet|sauf|cette semaine|en reunion|a cette heure|heures?|en double|deux fois|memes?|en anglais|en francais|lieu|ancien|ma mere|mon pere|mon mari|ma femme|mais (?:appelez|ecrivez|envoyez|contactez))\b`,
    String.raw`\b(?:consentement|accord|autorisation) (?:pour|a|au) (?!(?:la |le |les |l|recevoir |toute |tout |vos |votre |des )*(?:{msg}|contact|reception|envoi|prospection))\w`,
    String.raw`\b(?:comment|est ce que je|puis je|dois je|qui|peut etre|quoi|faut il|que se passe)\b`,
  ),
  both: [
    /\b(?:d?arret(?:er|ez|e)|cess(?:er|ez|e)|stopp?\w*|assez|plus|ne plus|marre|desabonn\w*|fini|finissez|refuse|retir\w*|enlev\w*)\b/u,
    /\b(?:messages|sms|textos|envois|publicites?|pubs|spams?|newsletters?|sollicitations?|me contacter|mecrire|menvoyer|mappeler|me deranger|me harceler|vos (?:listes?|fichiers?)|votre (?:liste|fichier|base)|de votre part)\b/u,
  ],
  requests:
    /\b(?:pouvez|pourriez|voulez|voudriez) vous\b|\b(?:peux|pourrais|veux) tu\b|\bvous pouvez\b|\bsil (?:vous|te) plait\b|\bsvp\b|\bmerci de\b/u,
};
