-- Full-width letters, digits and signs of East Asian texts are compared like their usual forms.
-- contract: the new function below has the same name, arguments and result
ALTER FUNCTION search_fold(TEXT) RENAME TO search_fold_width_kept;

-- contract: the previous version finds more texts with it, and no fewer
CREATE FUNCTION search_fold(t TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT search_fold_width_kept(CASE WHEN t ~ '[！-～]' THEN translate(t,
    'ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ０１２３４５６７８９'
    '！＂＃＄％＆＇（）＊＋，－．／：；＜＝＞？＠［＼］＾＿｀｛｜｝～',
    'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789' || repeat(' ', 32)) ELSE t END)
$$;

INSERT INTO search_change (company_id, kind, entity_id)
SELECT company_id, kind, entity_id FROM search_entry
WHERE words::text ~ '[！-～]' OR title_words::text ~ '[！-～]';
