<?php
// Installs WordPress on the first call; then publishes, edits and removes the posts of a JSON file, and prints the address of each.
$told = json_decode(file_get_contents($argv[1]), true);
if (isset($told['install'])) define('WP_INSTALLING', true);
function wp_new_blog_notification() {}
require __DIR__ . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
remove_action('post_updated', 'wp_save_post_revision');

function install_site($site) {
    global $wp_rewrite;
    wp_install($site['title'], 'admin', 'admin@naplo.example', true, '', 'admin', $site['language']);
    wp_delete_post(1, true);
    foreach ($site['options'] as $name => $value) update_option($name, $value);
    $wp_rewrite->set_permalink_structure($site['permalinks']);
    switch_theme($site['theme']);
    if ($site['front_page']) {
        $pages = [];
        foreach (['Welcome', 'News'] as $title)
            $pages[] = wp_insert_post(['post_type' => 'page', 'post_title' => $title, 'post_status' => 'publish', 'post_content' => "<p>$title</p>"]);
        update_option('show_on_front', 'page');
        update_option('page_on_front', $pages[0]);
        update_option('page_for_posts', $pages[1]);
    }
}

function user_named($name) {
    $known = get_users(['search' => $name, 'search_columns' => ['display_name']]);
    if ($known) return $known[0]->ID;
    return wp_insert_user(['user_login' => 'user' . md5($name), 'user_nicename' => sanitize_title($name), 'user_pass' => 'x',
        'display_name' => $name, 'role' => 'author']);
}

function section_named($name) {
    $known = get_term_by('name', esc_html($name), 'category');
    return $known ? $known->term_id : wp_insert_term($name, 'category')['term_id'];
}

function put_post($post) {
    global $wpdb;
    $known = get_posts(['meta_key' => '_number', 'meta_value' => $post['number'], 'post_status' => 'any', 'numberposts' => 1]);
    $data = ['post_title' => $post['title'], 'post_content' => $post['html'], 'post_status' => 'publish', 'post_author' => user_named($post['author']),
        'post_date' => $post['date'], 'post_date_gmt' => get_gmt_from_date($post['date']), 'edit_date' => true,
        'post_category' => [section_named($post['section'])], 'tags_input' => $post['tags'], 'meta_input' => ['_number' => $post['number']]];
    if ($known && $known[0]->post_title === $post['title']) $id = $known[0]->ID;    // nobody edits a post to add a comment
    else if ($known) $id = wp_update_post(wp_slash(['ID' => $known[0]->ID] + $data));
    else $id = wp_insert_post(wp_slash($data));
    if (isset($post['changed'])) {
        $when = ['post_modified' => $post['changed'], 'post_modified_gmt' => get_gmt_from_date($post['changed'])];
        $wpdb->update($wpdb->posts, $when, ['ID' => $id]);
        clean_post_cache($id);
    }
    $ids = [];
    foreach (get_comments(['post_id' => $id]) as $comment) $ids[(int) $comment->comment_agent] = $comment->comment_ID;
    foreach ($post['comments'] as $comment)
        $ids[$comment['number']] ??= wp_insert_comment(['comment_post_ID' => $id, 'comment_author' => $comment['author'],
            'comment_content' => $comment['text'], 'comment_approved' => 1, 'comment_agent' => (string) $comment['number'],
            'comment_date' => $comment['date'], 'comment_date_gmt' => get_gmt_from_date($comment['date']),
            'comment_parent' => $comment['parent'] === null ? 0 : $ids[$comment['parent']]]);
    return get_permalink($id);
}

if (isset($told['install'])) install_site($told['install']);
wp_set_current_user(1);
$urls = [];
foreach ($told['posts'] as $post) $urls[$post['number']] = put_post($post);
foreach ($told['removed'] as $number)
    foreach (get_posts(['meta_key' => '_number', 'meta_value' => $number, 'numberposts' => 1]) as $post) wp_trash_post($post->ID);
flush_rewrite_rules();
fwrite(STDOUT, "\n" . json_encode((object) $urls));
